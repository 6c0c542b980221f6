// Authorizations of the merchant.
import { Anchor, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useFormats } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { Empty, PageHead } from '../../kit/page.tsx'
import { StatusBadge } from '../../kit/status.tsx'
import { type Column, DataTable } from '../../kit/table.tsx'
import { useWallet } from '../../session.ts'
import { recurringTexts } from './i18n.ts'
import { Paged, usePaged } from './paged.tsx'
import { TakeButton } from './take-button.tsx'

interface Movement {
  readonly amount: number
  readonly status: string
}

interface Authorization {
  readonly id: string
  readonly date: string
  readonly amount: number
  readonly currency: string
  readonly status: string
  readonly expires?: string
  readonly ext_invoiceid?: string
  readonly captures: readonly Movement[]
  readonly releases: readonly Movement[]
}

/** Adds in whole cents, so that the sum is exact. */
const centsOf = (movements: readonly Movement[]) =>
  movements
    .filter(({ status }) => status === 'COMPLETED' || status === 'PENDING')
    .reduce((sum, { amount }) => sum + Math.round(Math.abs(amount) * 100), 0)

function leftOf(one: Authorization): number {
  const isOver = one.expires !== undefined && Date.parse(one.expires) <= Date.now()
  if (one.status !== 'COMPLETED' || isOver) return 0
  return (Math.round(one.amount * 100) - centsOf(one.captures) - centsOf(one.releases)) / 100
}

export function Page() {
  const t = useTexts(recurringTexts)
  const format = useFormats()
  const { api, id: walletId, may } = useWallet()
  const query = usePaged<Authorization>(`${api}/authorizations`)

  const columns: readonly Column<Authorization>[] = [
    {
      head: t.when,
      kind: 'line',
      cell: (one) => (
        <Anchor component={Link} to={`/wallets/${walletId}/payments/${one.id}`}>
          {format.moment(one.date)}
        </Anchor>
      ),
    },
    { head: t.invoice, cell: (one) => one.ext_invoiceid },
    { head: t.status, cell: (one) => <StatusBadge status={one.status} /> },
    { head: t.reserved, kind: 'amount', cell: (one) => format.money(one.amount, one.currency) },
    {
      head: t.captured,
      kind: 'amount',
      cell: (one) => format.money(centsOf(one.captures) / 100, one.currency),
    },
    { head: t.left, kind: 'amount', cell: (one) => format.money(leftOf(one), one.currency) },
    {
      head: t.lapses,
      kind: 'line',
      cell: (one) => one.status === 'COMPLETED' && one.expires && format.moment(one.expires),
    },
    { head: t.action, kind: 'actions', cell: actionsOf },
  ]

  function actionsOf(one: Authorization) {
    const left = leftOf(one)
    return (
      left > 0 &&
      may('authorizations') && (
        <Group gap="xs" wrap="nowrap">
          {(one.captures.length === 0 ? (['capture', 'release'] as const) : (['capture'] as const)).map(
            (verb) => (
              <TakeButton
                key={verb}
                verb={verb}
                path={`${api}/authorizations/${one.id}`}
                name={one.ext_invoiceid ?? t.reservationOf(format.money(one.amount, one.currency))}
                reserved={one.amount}
                left={left}
                isFirst={one.captures.length === 0}
                onDone={query.refetch}
              />
            ),
          )}
        </Group>
      )
    )
  }

  return (
    <>
      <PageHead title={t.authorizations} about={t.authorizationsAbout} />
      <Paged query={query} empty={<Empty title={t.noAuthorizations}>{t.noAuthorizationsText}</Empty>}>
        {(elements) => (
          <DataTable
            label={t.authorizations}
            minWidth={940}
            columns={columns}
            rows={elements}
            keyOf={({ id }) => id}
          />
        )}
      </Paged>
    </>
  )
}
