// What the operator's pages have in common: tables, and a verb that is done once and says what came of it.
import { Table } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { act, type Doing, read } from '../../api.ts'
import { focusable } from '../../kit/rows.tsx'
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

export interface RowOfTable {
  readonly key: string
  readonly cells: readonly ReactNode[]
}

/** Heads and cells; wider than a phone, it is scrolled by itself. */
export function DataTable({
  label,
  heads,
  rows,
  minWidth = 640,
}: {
  readonly label: string
  readonly heads: readonly string[]
  readonly rows: readonly RowOfTable[]
  readonly minWidth?: number
}) {
  return (
    <Table.ScrollContainer minWidth={minWidth} scrollAreaProps={focusable}>
      <Table verticalSpacing="sm" aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {heads.map((head) => (
              <Table.Th key={head}>{head}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ key, cells }) => (
            <Table.Tr key={key}>
              {cells.map((cell, index) => (
                <Table.Td key={heads[index]}>{cell}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
