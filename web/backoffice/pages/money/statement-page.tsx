// Statement of a month, to read, print and download.
import { Anchor, Button, Group, Paper, SimpleGrid, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { read } from '../../api.ts'
import { useFormats } from '../../i18n/format.ts'
import { useLocale, useTexts } from '../../i18n/language.ts'
import { CsvButton } from '../../kit/csv-button.tsx'
import { Empty, Loaded, PageHead } from '../../kit/page.tsx'
import { type Column, DataTable } from '../../kit/table.tsx'
import { useWallet } from '../../session.ts'
import { paymentTexts } from '../payments/i18n.ts'
import type { Period, StatementAnswer } from './answers.ts'
import { statementTexts } from './i18n.ts'
import { movedDay, movedMonth, sumOf, useBalance } from './queries.ts'

export function Page() {
  const t = useTexts(statementTexts)
  const query = useBalance()
  return <Loaded query={query}>{({ date }) => <Month current={date.slice(0, 7)} title={t.title} />}</Loaded>
}

function Month({ current, title }: { readonly current: string; readonly title: string }) {
  const t = useTexts(statementTexts)
  const { api, membership } = useWallet()
  const { month: asked } = useSearch({ strict: false }) as { month?: string }
  const month = asked !== undefined && /^\d{4}-\d\d$/.test(asked) ? asked : current
  const range = `startdate=${month}-01&enddate=${movedDay(`${movedMonth(month, 1)}-01`, -1)}`
  const query = useQuery({
    queryKey: [api, 'statement', month],
    queryFn: ({ signal }) => read<StatementAnswer>(`${api}/statement?${range}`, signal),
  })
  return (
    <>
      <PageHead
        title={title}
        about={[membership?.name, useMonthName(month)].filter(Boolean).join(' · ')}
        actions={
          <Group gap="sm" className="not-printed">
            <MonthChoice month={month} current={current} />
            <CsvButton path={`${api}/statement.csv?${range}`} label={t.csv} />
            <Button variant="default" onClick={() => window.print()}>
              {t.print}
            </Button>
          </Group>
        }
      />
      <Loaded query={query}>
        {(statement) => (
          <>
            <Summary period={statement} />
            {statement.days.length === 0 ? (
              <Empty title={t.none}>{t.noneText}</Empty>
            ) : (
              <Days statement={statement} />
            )}
          </>
        )}
      </Loaded>
    </>
  )
}

function useMonthName(month: string): string {
  const locale = useLocale()
  return new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  )
}

function MonthChoice({ month, current }: { readonly month: string; readonly current: string }) {
  const t = useTexts(statementTexts)
  const navigate = useNavigate()
  const show = (other: string) => void navigate({ search: { month: other } as never })
  return (
    <Button.Group>
      <Button variant="default" onClick={() => show(movedMonth(month, -1))}>
        {t.before}
      </Button>
      <Button variant="default" disabled={month >= current} onClick={() => show(movedMonth(month, 1))}>
        {t.after}
      </Button>
    </Button.Group>
  )
}

/** The table has no column for a kind of entry that did not happen. */
function useColumns(period: Period) {
  const t = useTexts(statementTexts)
  const columns = [
    { key: 'in', label: t.income, of: (one: Period) => sumOf(Object.values(one.payments)) },
    { key: 'fees', label: t.fees, of: (one: Period) => one.fees },
    { key: 'refunds', label: t.refunds, of: (one: Period) => one.refunds },
    { key: 'payouts', label: t.payouts, of: (one: Period) => one.payouts },
    { key: 'shares', label: t.shares, of: (one: Period) => one.shares, isRare: true },
    { key: 'other', label: t.other, of: (one: Period) => one.other, isRare: true },
  ]
  return columns.filter(({ isRare, of }) => isRare !== true || of(period) !== 0)
}

function Summary({ period }: { readonly period: StatementAnswer }) {
  const t = useTexts(statementTexts)
  const format = useFormats()
  const columns = useColumns(period)
  const figures = [
    { key: 'opening', label: t.opening, amount: period.opening },
    ...columns.map(({ key, label, of }) => ({ key, label, amount: of(period) })),
    { key: 'closing', label: t.closing, amount: period.closing },
  ]
  const names = useTexts(paymentTexts).methods
  const methods = Object.entries(period.payments)
  return (
    <Paper withBorder p="md" mb="lg">
      <SimpleGrid cols={{ base: 2, sm: 3, lg: figures.length }} spacing="md">
        {figures.map(({ key, label, amount }) => (
          <div key={key}>
            <Text size="sm" c="dimmed">
              {label}
            </Text>
            <Text fw={600} className="number" data-figure={key}>
              {format.money(amount)}
            </Text>
          </div>
        ))}
      </SimpleGrid>
      {methods.length > 0 && (
        <Text size="sm" c="dimmed" mt="sm">
          {t.income}:{' '}
          {methods
            .map(([method, amount]) => `${names[method] ?? method} ${format.money(amount)}`)
            .join(' · ')}
        </Text>
      )}
    </Paper>
  )
}

function Days({ statement }: { readonly statement: StatementAnswer }) {
  const t = useTexts(statementTexts)
  const format = useFormats()
  const { id } = useWallet()
  const columns = useColumns(statement)
  return (
    <DataTable
      label={t.title}
      minWidth={760}
      columns={[
        {
          head: t.day,
          kind: 'line',
          cell: ({ day }) => (
            <Anchor component={Link} to={`/wallets/${id}/statement/${day}` as string}>
              {format.day(day)}
            </Anchor>
          ),
        },
        ...columns.map(
          ({ label, of }): Column<StatementAnswer['days'][number]> => ({
            head: label,
            kind: 'amount',
            cell: (day) => (of(day) === 0 ? '–' : format.money(of(day))),
          }),
        ),
        { head: t.closing, kind: 'amount', cell: ({ closing }) => <b>{format.money(closing)}</b> },
      ]}
      rows={statement.days.toReversed()}
      keyOf={({ day }) => day}
    />
  )
}
