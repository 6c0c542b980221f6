// Fees by month and method.
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { read } from '../../api.ts'
import { useFormats } from '../../i18n/format.ts'
import { useLocale, useTexts } from '../../i18n/language.ts'
import { Empty, Loaded, PageHead } from '../../kit/page.tsx'
import { type Column, DataTable } from '../../kit/table.tsx'
import { useWallet } from '../../session.ts'
import { paymentTexts } from '../payments/i18n.ts'
import type { FeesAnswer } from './answers.ts'
import { feesTexts } from './i18n.ts'
import { sumOf, useBalance } from './queries.ts'

export function Page() {
  const query = useBalance()
  return <Loaded query={query}>{({ date }) => <Year current={Number(date.slice(0, 4))} />}</Loaded>
}

function Year({ current }: { readonly current: number }) {
  const t = useTexts(feesTexts)
  const { api } = useWallet()
  const { year: asked } = useSearch({ strict: false }) as { year?: number }
  const year = Number.isInteger(Number(asked)) ? Number(asked) : current
  const navigate = useNavigate()
  const show = (other: number) => void navigate({ search: { year: other } as never })
  const query = useQuery({
    queryKey: [api, 'fees', year],
    queryFn: ({ signal }) =>
      read<FeesAnswer>(`${api}/fees?startdate=${year}-01-01&enddate=${year}-12-31`, signal),
  })
  return (
    <>
      <PageHead
        title={`${t.title} ${year}`}
        about={t.about}
        actions={
          <Button.Group className="not-printed">
            <Button variant="default" onClick={() => show(year - 1)}>
              {year - 1}
            </Button>
            <Button variant="default" disabled={year >= current} onClick={() => show(year + 1)}>
              {year + 1}
            </Button>
          </Button.Group>
        }
      />
      <Loaded query={query}>
        {({ elements }) =>
          elements.length === 0 ? <Empty title={t.none}>{t.noneText}</Empty> : <Fees elements={elements} />
        }
      </Loaded>
    </>
  )
}

interface Figures {
  readonly payments: number
  readonly volume: number
  readonly fees: number
}

function Fees({ elements }: Pick<FeesAnswer, 'elements'>) {
  const t = useTexts(feesTexts)
  const volume = sumOf(elements.map((one) => one.volume))
  const fees = sumOf(elements.map((one) => one.fees))
  const payments = elements.reduce((count, one) => count + one.payments, 0)
  const format = useFormats()
  const locale = useLocale()
  const names = useTexts(paymentTexts).methods
  const monthOf = (month: string) =>
    new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' }).format(new Date(`${month}-01`))
  const amounts: readonly Column<Figures>[] = [
    { head: t.payments, kind: 'amount', cell: (one) => format.number(one.payments) },
    { head: t.volume, kind: 'amount', cell: (one) => format.money(one.volume) },
    { head: t.fees, kind: 'amount', cell: (one) => format.money(one.fees) },
    {
      head: t.share,
      kind: 'amount',
      cell: (one) => (one.volume === 0 ? '–' : format.percent(Math.abs(one.fees) / one.volume)),
    },
  ]
  const total = amounts.map(({ head, cell }) => [head, <b key={head}>{cell({ payments, volume, fees })}</b>])
  return (
    <DataTable
      label={t.title}
      minWidth={600}
      columns={[
        { head: t.month, kind: 'line', cell: ({ month }) => monthOf(month) },
        { head: t.method, cell: ({ method }) => names[method] ?? method },
        ...amounts,
      ]}
      rows={elements}
      keyOf={({ month, method }) => `${month} ${method}`}
      foot={{ [t.month]: <b>{t.total}</b>, ...Object.fromEntries(total) }}
    />
  )
}
