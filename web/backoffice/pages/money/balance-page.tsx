// Balance of the merchant and its history.
import { Button, Group, Paper, SimpleGrid, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { read } from '../../api.ts'
import { useFormats } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { Loaded, PageHead } from '../../kit/page.tsx'
import { useWallet } from '../../session.ts'
import type { BalanceAnswer, StatementAnswer } from './answers.ts'
import { balanceTexts } from './i18n.ts'
import { movedDay, useBalance } from './queries.ts'

const BalanceChart = lazy(() => import('./balance-chart.tsx'))
const daysShown = 90

export function Page() {
  const t = useTexts(balanceTexts)
  const { id } = useWallet()
  const query = useBalance()
  return (
    <>
      <PageHead
        title={t.title}
        about={t.about}
        actions={
          <>
            <Button component={Link} variant="default" to={`/wallets/${id}/statement` as string}>
              {t.statement}
            </Button>
            <Button component={Link} variant="default" to={`/wallets/${id}/payouts` as string}>
              {t.payouts}
            </Button>
          </>
        }
      />
      <Loaded query={query} rows={3}>
        {(balance) => (
          <>
            <Figures balance={balance} />
            <Course until={balance.date.slice(0, 10)} />
          </>
        )}
      </Loaded>
    </>
  )
}

function Figures({ balance }: { readonly balance: BalanceAnswer }) {
  const t = useTexts(balanceTexts)
  const figures = [
    { label: t.available, amount: balance.available, hint: t.availableHint },
    { label: t.pending, amount: balance.pending_payouts, hint: t.pendingHint },
    { label: t.balance, amount: balance.balance, hint: balance.balance < 0 ? t.owes : t.balanceHint },
  ]
  const format = useFormats()
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} mb="lg">
      {figures.map(({ label, amount, hint }) => (
        <Paper key={label} withBorder p="md">
          <Text size="sm" c="dimmed">
            {label}
          </Text>
          <Text fz={28} fw={650} className="number" data-figure={label}>
            {format.money(amount, balance.currency)}
          </Text>
          <Text size="sm" c="dimmed">
            {hint}
          </Text>
        </Paper>
      ))}
    </SimpleGrid>
  )
}

function Course({ until }: { readonly until: string }) {
  const t = useTexts(balanceTexts)
  const { api } = useWallet()
  const from = movedDay(until, 1 - daysShown)
  const query = useQuery({
    queryKey: [api, 'statement', from, until],
    queryFn: ({ signal }) =>
      read<StatementAnswer>(`${api}/statement?startdate=${from}&enddate=${until}`, signal),
  })
  return (
    <Paper withBorder p="md" component="section" aria-label={t.course}>
      <Group justify="space-between" mb="md">
        <Title order={2}>{t.course}</Title>
        <Text size="sm" c="dimmed">
          {t.lastDays}
        </Text>
      </Group>
      <Loaded query={query} rows={4}>
        {(statement) => (
          <Suspense fallback={null}>
            <BalanceChart statement={statement} label={t.balance} />
          </Suspense>
        )}
      </Loaded>
    </Paper>
  )
}
