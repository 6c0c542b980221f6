// Shared queries, actions and forms of the operator's pages.
import { Stack } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, useRef } from 'react'
import { act, type Doing, read } from '../../api.ts'
import { FormEnd } from '../../kit/form-end.tsx'
import { useNotify } from '../../kit/notify.ts'
import { Problem } from '../../shell/problems.tsx'

/** Reads below `/backoffice/api/operator`, and repeats this after `everyMs`. */
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
 * Sends a change below `/backoffice/api/operator` once and shows a notification. Reloads all queries, also after an
 * error.
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
      // The second click of a double click comes before the button shows as busy.
      inFlight.current ??= once(input)
      return inFlight.current
    },
    // Without a connection this promise would not end. If the mutation waited for it, the user would not see the
    // error.
    onSettled() {
      void client.invalidateQueries({ queryKey: ['operator'] })
    },
  })
}

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
