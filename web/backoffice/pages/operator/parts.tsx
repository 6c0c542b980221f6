// What the operator's pages have in common: reading, a verb that is done once and says what came of it, and its form.
import { Stack } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, useRef } from 'react'
import { act, type Doing, read } from '../../api.ts'
import { FormEnd } from '../../kit/form-end.tsx'
import { useNotify } from '../../kit/notify.ts'
import { Problem } from '../../shell/problems.tsx'

/** What stands under `/backoffice/api/operator`; read again every `everyMs` where it is given. */
export function useOperatorQuery<Answer>(
  path: string,
  everyMs?: (data: Answer | undefined) => number | false,
) {
  return useQuery({
    queryKey: ['operator', path],
    queryFn: ({ signal }) => read<Answer>(`/operator${path}`, signal),
    ...(everyMs && {
      refetchInterval: ({ state }: { state: { data: unknown } }) => everyMs(state.data as Answer),
    }),
  })
}

/**
 * Does something under `/backoffice/api/operator`, once however often it is pressed, says that it is done, and has every
 * page read again, also where it failed: what is shown is then how things stand.
 */
export function useOperatorVerb<Answer, Input = void>(
  doing: (input: Input) => readonly [path: string, doing: Doing],
  after: { readonly said?: string; readonly done?: (answer: Answer) => void } = {},
) {
  const client = useQueryClient()
  const say = useNotify()
  const inFlight = useRef<Promise<Answer>>(undefined)
  async function once(input: Input): Promise<Answer> {
    const [path, how] = doing(input)
    try {
      const answer = await act<Answer>(`/operator${path}`, how)
      if (after.said !== undefined) say(after.said)
      after.done?.(answer)
      return answer
    } finally {
      inFlight.current = undefined
    }
  }
  return useMutation({
    mutationFn(input: Input) {
      // The second click of a double one comes before the button is drawn as busy.
      inFlight.current ??= once(input)
      return inFlight.current
    },
    // Not waited for: without a connection nothing is read, and what failed is to be said.
    onSettled() {
      void client.invalidateQueries({ queryKey: ['operator'] })
    },
  })
}

/** Fields in a dialog that are sent with a verb. */
export function VerbForm({
  doing,
  children,
  ...end
}: {
  readonly doing: Pick<ReturnType<typeof useOperatorVerb<unknown>>, 'mutate' | 'isPending' | 'error'>
  readonly children: ReactNode
} & Omit<ComponentProps<typeof FormEnd>, 'busy'>) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!doing.isPending) doing.mutate()
      }}
    >
      <Stack>
        {children}
        {doing.error !== null && <Problem error={doing.error} />}
        <FormEnd busy={doing.isPending} {...end} />
      </Stack>
    </form>
  )
}
