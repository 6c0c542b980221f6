// Subscriptions of the merchant.
import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useFormats } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { Empty, PageHead } from '../../kit/page.tsx'
import { StatusBadge } from '../../kit/status.tsx'
import { type Column, DataTable } from '../../kit/table.tsx'
import { useWallet } from '../../session.ts'
import { recurringTexts } from './i18n.ts'
import { Paged, usePaged } from './paged.tsx'

export interface Subscription {
  readonly id: string
  readonly amount: number
  readonly currency: string
  readonly status: string
  readonly start_date: string
  readonly end_date?: string
  readonly description?: string
  readonly method?: string
  readonly card?: { readonly last4: string }
}

export function Page() {
  const t = useTexts(recurringTexts)
  const format = useFormats()
  const { api, id: walletId } = useWallet()
  const query = usePaged<{ readonly subscription: Subscription }>(`${api}/subscriptions`)
  const columns: readonly Column<Subscription>[] = [
    {
      head: t.subscription,
      cell: (one) => (
        <Anchor component={Link} to={`/wallets/${walletId}/subscriptions/${one.id}`}>
          {one.description ?? one.id}
        </Anchor>
      ),
    },
    { head: t.amount, kind: 'amount', cell: (one) => format.money(one.amount, one.currency) },
    { head: t.status, cell: (one) => <StatusBadge status={one.status} /> },
    {
      head: t.method,
      cell: (one) => [one.method, one.card?.last4].filter(Boolean).join(' ···· '),
    },
    { head: t.starts, kind: 'line', cell: (one) => format.day(one.start_date) },
    {
      head: t.expires,
      kind: 'line',
      cell: (one) => (one.end_date === undefined ? t.noEnd : format.day(one.end_date)),
    },
  ]
  return (
    <>
      <PageHead title={t.subscriptions} about={t.subscriptionsAbout} />
      <Paged query={query} empty={<Empty title={t.noSubscriptions}>{t.noSubscriptionsText}</Empty>}>
        {(elements) => (
          <DataTable
            label={t.subscriptions}
            minWidth={760}
            columns={columns}
            rows={elements.map(({ subscription }) => subscription)}
            keyOf={({ id }) => id}
          />
        )}
      </Paged>
    </>
  )
}
