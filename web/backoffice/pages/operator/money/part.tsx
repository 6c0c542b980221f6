// Table with a title and an empty state.
import { Text, Title } from '@mantine/core'
import type { ComponentProps } from 'react'
import { DataTable } from '../../../kit/table.tsx'

export function Part<Row>({
  title,
  none,
  ...table
}: Omit<ComponentProps<typeof DataTable<Row>>, 'label'> & {
  readonly title: string
  readonly none: string
}) {
  return (
    <section>
      <Title order={2} mb="sm">
        {title}
      </Title>
      {table.rows.length === 0 ? <Text c="dimmed">{none}</Text> : <DataTable label={title} {...table} />}
    </section>
  )
}
