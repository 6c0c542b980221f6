// A table of rows that scrolls within itself on a phone.
import { Table } from '@mantine/core'
import type { ReactNode } from 'react'

/** For whatever scrolls: by keyboard too. */
export const focusable = { viewportProps: { tabIndex: 0 } } as const

export interface Row {
  readonly key: string
  /** By what stands at the head of their columns. */
  readonly cells: Readonly<Record<string, ReactNode>>
}

export function Rows({
  head,
  rows,
  minWidth = 640,
}: {
  readonly head: readonly string[]
  readonly rows: readonly Row[]
  readonly minWidth?: number
}) {
  return (
    <Table.ScrollContainer minWidth={minWidth} scrollAreaProps={focusable}>
      <Table verticalSpacing="sm" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            {head.map((name) => (
              <Table.Th key={name}>{name}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ key, cells }) => (
            <Table.Tr key={key}>
              {head.map((name) => (
                <Table.Td key={name}>{cells[name]}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
