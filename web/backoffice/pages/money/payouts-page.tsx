// Payouts, their schedule and the available balance.
import { Anchor, Group, Pagination, Paper, SimpleGrid, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { read } from '../../api.ts'
import { useFormats } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { BeginButton } from '../../kit/begin-button.tsx'
import { Empty, Loaded, PageHead } from '../../kit/page.tsx'
import { StatusBadge } from '../../kit/status.tsx'
import { DataTable } from '../../kit/table.tsx'
import { useWallet } from '../../session.ts'
import type { Payout, PayoutsAnswer } from './answers.ts'
import { payoutTexts } from './i18n.ts'
import { OrderPayout } from './order-payout.tsx'
import { useAskers, useBalance } from './queries.ts'
import { SchedulePanel } from './schedule-panel.tsx'

const perPage = 20

export function Page() {
  const t = useTexts(payoutTexts)
  const format = useFormats()
  const { may } = useWallet()
  const balance = useBalance()
  const [isOrdering, { open, close }] = useDisclosure()
  const available = balance.data?.available
  return (
    <>
      <PageHead
        title={t.title}
        about={t.about}
        actions={may('payouts') && <BeginButton onClick={open}>{t.order}</BeginButton>}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} mb="lg">
        <Paper withBorder p="md">
          <Text size="sm" c="dimmed">
            {t.available}
          </Text>
          <Loaded query={balance} rows={1}>
            {(now) => (
              <Text fz={28} fw={650} className="number" data-figure="available">
                {format.money(now.available)}
              </Text>
            )}
          </Loaded>
          <Text size="sm" c="dimmed">
            {t.availableHint}
          </Text>
        </Paper>
        <SchedulePanel />
      </SimpleGrid>
      <Payouts />
      {isOrdering && <OrderPayout available={available ?? 0} onClose={close} />}
    </>
  )
}

function Payouts() {
  const t = useTexts(payoutTexts)
  const { api } = useWallet()
  const navigate = useNavigate()
  const { page: asked } = useSearch({ strict: false }) as { page?: number }
  const page = Math.max(1, Math.trunc(Number(asked ?? 1)) || 1)
  const query = useQuery({
    queryKey: [api, 'payouts', page],
    queryFn: ({ signal }) =>
      read<PayoutsAnswer>(`${api}/payouts?limit=${perPage}&offset=${page - 1}`, signal),
  })
  return (
    <Loaded query={query}>
      {({ total, elements }) =>
        total === 0 ? (
          <Empty title={t.none}>{t.noneText}</Empty>
        ) : (
          <>
            <List payouts={elements} />
            {total > perPage && (
              <Group justify="center" mt="md">
                <Pagination
                  value={page}
                  total={Math.ceil(total / perPage)}
                  onChange={(next) => void navigate({ search: { page: next } as never })}
                  getControlProps={(control) => ({ 'aria-label': t.pages[control] })}
                />
              </Group>
            )}
          </>
        )
      }
    </Loaded>
  )
}

function List({ payouts }: { readonly payouts: readonly Payout[] }) {
  const t = useTexts(payoutTexts)
  const format = useFormats()
  const { id } = useWallet()
  const askers = useAskers(payouts.map((one) => one.id))
  return (
    <DataTable
      label={t.title}
      columns={[
        {
          head: t.when,
          kind: 'line',
          cell: (one) => (
            <Anchor component={Link} to={`/wallets/${id}/payouts/${one.id}` as string}>
              {format.moment(one.date)}
            </Anchor>
          ),
        },
        { head: t.amount, kind: 'amount', cell: (one) => format.money(-one.amount, one.currency) },
        { head: t.status, cell: (one) => <StatusBadge status={statusOf(one)} /> },
        {
          head: t.iban,
          kind: 'line',
          cell: (one) => one.iban ?? (one.parent === undefined ? '' : t.cameBack),
        },
        {
          head: t.paidOn,
          kind: 'line',
          cell: (one) => one.execution_date && format.day(one.execution_date),
        },
        {
          head: t.by,
          cell: (one) =>
            askers[one.id]?.name ?? t.channels[one.channel as keyof typeof t.channels] ?? one.channel,
        },
      ]}
      rows={payouts}
      keyOf={(one) => one.id}
    />
  )
}

export function statusOf({ status }: Payout): string {
  return status === 'FAIL' ? 'FAILED' : status
}
