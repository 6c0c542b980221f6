// The subscriptions of a merchant, newest first.
import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Empty, PageHead } from '../../kit/page.tsx'
import { Rows } from '../../kit/rows.tsx'
import { StatusBadge } from '../../kit/status.tsx'
import { useWallet } from '../../session.ts'
import { useFormats } from '../../texts/format.ts'
import { useTexts } from '../../texts/language.ts'
import { Paged, usePaged } from './paged.tsx'
import { recurringTexts } from './texts.ts'

export interface Subscription {
  readonly id: string
  readonly amount: number
  readonly currency: string
  readonly status: string
  readonly start_date: string
  readonly end_date?: string
  readonly description?: string
  readonly default_payment_method?: string
  readonly card?: { readonly last4: string }
}

export function Page() {
  const t = useTexts(recurringTexts)
  const format = useFormats()
  const { api, id: walletId } = useWallet()
  const query = usePaged<{ readonly subscription: Subscription }>(`${api}/subscriptions`)
  return (
    <>
      <PageHead title={t.subscriptions} about={t.subscriptionsAbout} />
      <Paged query={query} empty={<Empty title={t.noSubscriptions}>{t.noSubscriptionsText}</Empty>}>
        {(elements) => (
          <Rows
            minWidth={760}
            head={[t.subscription, t.description, t.amount, t.status, t.method, t.starts, t.expires]}
            rows={elements.map(({ subscription: one }) => ({
              key: one.id,
              cells: {
                [t.subscription]: (
                  <Anchor component={Link} to={`/wallets/${walletId}/subscriptions/${one.id}`} size="sm">
                    {one.id.slice(0, 8)}
                  </Anchor>
                ),
                [t.description]: one.description ?? '—',
                [t.amount]: <span className="number">{format.money(one.amount, one.currency)}</span>,
                [t.status]: <StatusBadge status={one.status} />,
                [t.method]: [one.default_payment_method, one.card?.last4].filter(Boolean).join(' ') || '—',
                [t.starts]: <span className="number">{format.day(one.start_date)}</span>,
                [t.expires]: (
                  <span className="number">
                    {one.end_date === undefined ? t.noEnd : format.day(one.end_date)}
                  </span>
                ),
              },
            }))}
          />
        )}
      </Paged>
    </>
  )
}
