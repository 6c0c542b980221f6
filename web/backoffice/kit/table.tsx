// Tables that become blocks on phones.
import { Paper, Table } from '@mantine/core'
import type { ReactNode } from 'react'

export interface Column<Row> {
  readonly head: string
  /** On phones a cell with an empty value is hidden. */
  readonly cell: (row: Row) => ReactNode
  /** `amount` is aligned right, `line` does not wrap, and `actions` is the last column. */
  readonly kind?: 'amount' | 'line' | 'identifier' | 'actions'
}

export function DataTable<Row>({
  label,
  columns,
  rows,
  keyOf,
  minWidth = 640,
  foot,
}: {
  readonly label: string
  /** A column that is false is hidden. */
  readonly columns: readonly (Column<Row> | false)[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  readonly minWidth?: number
  /** Cells of the last line, by the title of their column. */
  readonly foot?: Readonly<Record<string, ReactNode>>
}) {
  const shown = columns.filter((column) => column !== false)
  // Phones show rows as blocks, so the ARIA roles tell screen readers that this is a table.
  const line = (key: string, of: (column: Column<Row>) => ReactNode) => (
    <Table.Tr key={key} role="row">
      {shown.map((column) => (
        <Cell key={column.head} column={column}>
          {of(column)}
        </Cell>
      ))}
    </Table.Tr>
  )
  return (
    <Paper withBorder className="table-frame" tabIndex={0}>
      <Table
        className="data-table"
        style={{ '--least-width': `${minWidth}px` }}
        verticalSpacing="sm"
        highlightOnHover
        role="table"
        aria-label={label}
      >
        <Table.Thead role="rowgroup">
          <Table.Tr role="row">
            {shown.map(({ head, kind }) => (
              <Table.Th key={head} role="columnheader" data-kind={kind}>
                {head}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup">
          {rows.map((row) => line(keyOf(row), ({ cell }) => cell(row)))}
          {foot !== undefined && line('foot', ({ head }) => foot[head])}
        </Table.Tbody>
      </Table>
    </Paper>
  )
}

function Cell<Row>({
  column: { head, kind },
  children,
}: {
  readonly column: Column<Row>
  readonly children: ReactNode
}) {
  const isEmpty = children === undefined || children === null || children === false || children === ''
  return (
    <Table.Td role="cell" data-head={head} data-kind={kind}>
      {isEmpty ? null : <div>{children}</div>}
    </Table.Td>
  )
}
