// What the operator's pages have in common: reading, and a verb that is done once and says what came of it.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { act, type Doing, read } from '../../api.ts'
import { useSay } from '../../kit/say.ts'

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

/** Does something under `/backoffice/api/operator`, says that it is done, and has every page read again. */
export function useOperatorVerb<Answer, Input = void>(
  doing: (input: Input) => readonly [path: string, doing: Doing],
  after: { readonly said?: string; readonly done?: (answer: Answer) => void } = {},
) {
  const client = useQueryClient()
  const say = useSay()
  return useMutation({
    mutationFn: (input: Input) => {
      const [path, how] = doing(input)
      return act<Answer>(`/operator${path}`, how)
    },
    onSuccess(answer) {
      if (after.said !== undefined) say(after.said)
      after.done?.(answer)
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['operator'] }),
  })
}
