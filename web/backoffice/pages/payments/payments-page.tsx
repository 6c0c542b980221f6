// List of payments.
import { Anchor, Paper, Table, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import type { ListedPayment, PaymentsAnswer } from '../../../../src/backoffice/contract/payments.ts'
import { read } from '../../api.ts'
import { useFormats } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { CsvButton } from '../../kit/csv-button.tsx'
import { Empty, Loaded, PageHead } from '../../kit/page.tsx'
import { StatusBadge } from '../../kit/status.tsx'
import { useWallet } from '../../session.ts'
import { queryOf, useFilters } from './address.ts'
import { paymentTexts } from './i18n.ts'
import { PaymentFilters } from './payment-filters.tsx'

export function Page() {
  const t = useTexts(paymentTexts)
  const { api } = useWallet()
  const inAddress = useFilters()
  const { filters } = inAddress
  const query = useInfiniteQuery({
    queryKey: [api, 'payments', filters],
    queryFn: ({ pageParam, signal }) => {
      const asked = pageParam === '' ? filters : { ...filters, after: pageParam }
      return read<PaymentsAnswer>(`${api}/payments?${queryOf(asked)}`, signal)
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })
  const isNarrowed = Object.keys(filters).length > 0
  return (
    <>
      <PageHead
        title={t.title}
        actions={<CsvButton path={`${api}/payments.csv?${queryOf(filters)}`} label={t.export} />}
      />
      <PaymentFilters {...inAddress} />
      <Loaded query={query as never}>
        {({ pages }: { readonly pages: readonly PaymentsAnswer[] }) => {
          const payments = pages.flatMap((page) => page.payments)
          if (payments.length === 0) {
            return (
              <Empty title={isNarrowed ? t.noMatch : t.none}>{isNarrowed ? t.noMatchText : t.noneText}</Empty>
            )
          }
          return (
            <PaymentList
              payments={payments}
              hasMore={query.hasNextPage}
              more={() => void (query.isFetchingNextPage || query.fetchNextPage())}
            />
          )
        }}
      </Loaded>
    </>
  )
}

/** Heights in px. On narrow screens a row has a second line. */
const rowHeights = { wide: 49, narrow: 88 } as const
const wide = '(min-width: 62em)'
/** The list loads its next page when this many rows are left. */
const ahead = 15

function PaymentList({
  payments,
  hasMore,
  more,
}: {
  readonly payments: readonly ListedPayment[]
  readonly hasMore: boolean
  readonly more: () => void
}) {
  const t = useTexts(paymentTexts)
  const list = useRef<HTMLDivElement>(null)
  const isWide = useMediaQuery(wide, true, { getInitialValueInEffect: false })
  const rowHeight = rowHeights[isWide ? 'wide' : 'narrow']
  const rows = useWindowVirtualizer({
    count: payments.length,
    estimateSize: () => rowHeight,
    overscan: 20,
    scrollMargin: list.current?.offsetTop ?? 0,
  })
  const shown = rows.getVirtualItems()
  const last = shown.at(-1)?.index ?? 0
  useEffect(() => {
    if (hasMore && last >= payments.length - ahead) more()
  }, [hasMore, last, payments.length, more])
  const margin = rows.options.scrollMargin
  const before = Math.max(0, (shown[0]?.start ?? margin) - margin)
  const after = Math.max(0, rows.getTotalSize() - ((shown.at(-1)?.end ?? margin) - margin))
  return (
    <div ref={list}>
      <Paper withBorder className="table-frame" tabIndex={0}>
        <Table verticalSpacing="sm" highlightOnHover aria-rowcount={hasMore ? -1 : payments.length + 1}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t.amount}</Table.Th>
              <Table.Th>{t.status}</Table.Th>
              <Table.Th visibleFrom="md">{t.type}</Table.Th>
              <Table.Th visibleFrom="md">{t.by}</Table.Th>
              <Table.Th visibleFrom="lg">{t.customer}</Table.Th>
              <Table.Th visibleFrom="md">{t.invoice}</Table.Th>
              <Table.Th>{t.when}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {before > 0 && <tr aria-hidden style={{ height: before }} />}
            {shown.map(({ index }) => {
              const payment = payments[index]
              return payment && <PaymentRow key={payment.id} {...{ payment, index, rowHeight }} />
            })}
            {after > 0 && <tr aria-hidden style={{ height: after }} />}
          </Table.Tbody>
        </Table>
      </Paper>
      <Text size="sm" c="dimmed" ta="center" py="md" role="status">
        {hasMore ? t.loadingMore : `${t.shown} ${payments.length}. ${t.end}`}
      </Text>
    </div>
  )
}

function PaymentRow({
  payment,
  index,
  rowHeight,
}: {
  readonly payment: ListedPayment
  readonly index: number
  readonly rowHeight: number
}) {
  const t = useTexts(paymentTexts)
  const format = useFormats()
  const { id: wallet } = useWallet()
  const { method } = payment
  const methodName = method === undefined ? '' : (t.methods[method] ?? method)
  return (
    <Table.Tr aria-rowindex={index + 2} h={rowHeight}>
      <Table.Td className="number">
        <Anchor component={Link} to={`/wallets/${wallet}/payments/${payment.id}` as string} fw={600}>
          {format.money(payment.amount, payment.currency)}
        </Anchor>
        <Text size="xs" hiddenFrom="md" truncate maw={150}>
          {t.types[payment.type] ?? payment.type}
        </Text>
        <Text size="xs" c="dimmed" hiddenFrom="md" truncate maw={150}>
          {[methodName, payment.customer ?? payment.by].filter(Boolean).join(' · ')}
        </Text>
      </Table.Td>
      <Table.Td>
        <StatusBadge status={payment.status} />
      </Table.Td>
      <Table.Td visibleFrom="md">{t.types[payment.type] ?? payment.type}</Table.Td>
      <Table.Td visibleFrom="md">
        <Text size="sm" truncate maw={230}>
          {methodName}{' '}
          <Text span size="sm" c="dimmed">
            {payment.by}
          </Text>
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="lg">
        <Text size="sm" truncate maw={150}>
          {payment.customer}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="md">
        <Text size="sm" truncate maw={140}>
          {payment.invoice}
        </Text>
      </Table.Td>
      <Table.Td className="number wraps-on-phones">{format.moment(payment.date)}</Table.Td>
    </Table.Tr>
  )
}
