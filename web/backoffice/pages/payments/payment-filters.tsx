// Search, views and filters of payments.
import { Button, Collapse, Group, MultiSelect, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useDebouncedCallback, useDisclosure } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { useTexts } from '../../i18n/language.ts'
import { useStatusName } from '../../kit/status.tsx'
import type { Filters, FiltersInAddress } from './address.ts'
import { paymentTexts } from './i18n.ts'

const statuses = ['NEW', 'PENDING', 'COMPLETED', 'FAIL', 'VOIDED'] as const
const views: readonly (readonly [
  'all' | 'completed' | 'waiting' | 'failed' | 'refunds' | 'holds',
  Filters,
])[] = [
  ['all', {}],
  ['completed', { type: 'PAYMENT,CAPTURE', status: 'COMPLETED' }],
  ['waiting', { type: 'PAYMENT', status: 'NEW,PENDING' }],
  ['failed', { status: 'FAIL' }],
  ['refunds', { type: 'REFUND' }],
  ['holds', { type: 'AUTH' }],
]
const typingPauseMs = 300

export function PaymentFilters({ filters, change, show }: FiltersInAddress) {
  const t = useTexts(paymentTexts)
  const [text, setText] = useState(filters.text ?? '')
  const [opened, { toggle }] = useDisclosure(false)
  const searchSoon = useDebouncedCallback((typed: string) => change({ text: typed }), typingPauseMs)
  // The field follows the address, which the Back button and the views change.
  useEffect(() => setText(filters.text ?? ''), [filters.text])
  const view = views.find(([, wanted]) => wanted.type === filters.type && wanted.status === filters.status)
  const { text: _, ...narrowed } = filters
  const count = Object.keys(narrowed).length

  return (
    <Stack gap="sm" mb="md" role="search">
      <Group gap="sm" align="flex-end">
        <TextInput
          flex={1}
          miw={240}
          type="search"
          label={t.search}
          placeholder={t.searchHint}
          value={text}
          onChange={({ currentTarget: { value } }) => {
            setText(value)
            searchSoon(value)
          }}
        />
        <Button variant="default" onClick={toggle} aria-expanded={opened}>
          {count === 0 ? t.filters : `${t.filters} (${count})`}
        </Button>
        {(count > 0 || text !== '') && (
          <Button variant="subtle" onClick={() => show({})}>
            {t.clear}
          </Button>
        )}
      </Group>
      <Group gap={4} role="group" aria-label={t.viewsLabel}>
        {views.map(([name, wanted]) => (
          <Button
            key={name}
            size="xs"
            variant={view?.[0] === name ? 'light' : 'subtle'}
            aria-pressed={view?.[0] === name}
            onClick={() => change({ type: '', status: '', ...wanted })}
          >
            {t.views[name]}
          </Button>
        ))}
      </Group>
      <Collapse expanded={opened}>
        <FilterFields filters={filters} change={change} />
      </Collapse>
    </Stack>
  )
}

function FilterFields({ filters, change }: Pick<FiltersInAddress, 'filters' | 'change'>) {
  const t = useTexts(paymentTexts)
  const nameOf = useStatusName()
  const several = (name: 'type' | 'status' | 'method', data: { value: string; label: string }[]) => (
    <MultiSelect
      label={t[name]}
      data={data}
      value={filters[name]?.split(',') ?? []}
      onChange={(chosen) => change({ [name]: chosen.join(',') })}
      clearable
    />
  )
  const one = (name: 'from' | 'to' | 'min' | 'max' | 'store', type: string) => (
    <TextInput
      label={t[name]}
      type={type}
      inputMode={type === 'text' ? 'decimal' : undefined}
      defaultValue={filters[name] ?? ''}
      key={filters[name] ?? ''}
      onBlur={({ currentTarget: { value } }) => value !== (filters[name] ?? '') && change({ [name]: value })}
      onKeyDown={({ key, currentTarget }) => key === 'Enter' && currentTarget.blur()}
    />
  )
  const labelled = (labels: Record<string, string>) =>
    Object.entries(labels).map(([value, label]) => ({ value, label }))
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
      {several('type', labelled(t.types))}
      {several(
        'status',
        statuses.map((value) => ({ value, label: nameOf(value) })),
      )}
      {several('method', labelled(t.methods))}
      {one('store', 'text')}
      {one('from', 'date')}
      {one('to', 'date')}
      {one('min', 'text')}
      {one('max', 'text')}
    </SimpleGrid>
  )
}
