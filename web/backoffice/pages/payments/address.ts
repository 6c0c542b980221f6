// Payment filters in the address.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import type { PaymentsQuery } from '../../../../src/backoffice/contract/payments.ts'

export type Filters = Omit<PaymentsQuery, 'after'>
type Name = keyof Filters

const names: readonly Name[] = [
  'text',
  'type',
  'status',
  'method',
  'channel',
  'store',
  'from',
  'to',
  'min',
  'max',
]

export interface FiltersInAddress {
  readonly filters: Filters
  /** Changes some filters. An empty value removes its filter. */
  change(changed: Filters): void
  show(view: Filters): void
}

export function useFilters(): FiltersInAddress {
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const navigate = useNavigate()
  const filters = useMemo(() => filtersOf(search), [search])
  const show = useCallback(
    (view: Filters) => void navigate({ to: '.', search: filtersOf(view) as never, replace: true }),
    [navigate],
  )
  return { filters, show, change: (changed) => show({ ...filters, ...changed }) }
}

function filtersOf(search: Record<string, unknown>): Filters {
  const known = names.flatMap((name) => {
    const value = search[name]
    return value === undefined || value === null || value === '' ? [] : [[name, String(value)]]
  })
  return Object.fromEntries(known) as Filters
}

export function queryOf(filters: PaymentsQuery): string {
  return new URLSearchParams(filters as Record<string, string>).toString()
}
