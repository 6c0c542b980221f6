// What the gateway charged, by month and method.
import { Button, Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { read } from '../../api.ts'
import { Empty, Loaded, PageHead } from '../../kit/page.tsx'
import { focusable } from '../../kit/rows.tsx'
import { useWallet } from '../../session.ts'
import { useFormats } from '../../texts/format.ts'
import { useTexts } from '../../texts/language.ts'
import type { FeesAnswer } from './answers.ts'
import { sumOf, useBalance } from './queries.ts'
import { feesTexts } from './texts.ts'

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

function Fees({ elements }: Pick<FeesAnswer, 'elements'>) {
  const t = useTexts(feesTexts)
  const volume = sumOf(elements.map((one) => one.volume))
  const fees = sumOf(elements.map((one) => one.fees))
  const payments = elements.reduce((count, one) => count + one.payments, 0)
  return (
    <Table.ScrollContainer minWidth={600} scrollAreaProps={focusable}>
      <Table verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.month}</Table.Th>
            <Table.Th>{t.method}</Table.Th>
            {[t.payments, t.volume, t.fees, t.share].map((head) => (
              <Table.Th key={head} ta="right">
                {head}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {elements.map((one) => (
            <Table.Tr key={`${one.month} ${one.method}`}>
              <Table.Td className="number">{one.month}</Table.Td>
              <Table.Td>{one.method}</Table.Td>
              <Amounts {...one} />
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <Table.Tr fw={600}>
            <Table.Td colSpan={2}>{t.total}</Table.Td>
            <Amounts payments={payments} volume={volume} fees={fees} />
          </Table.Tr>
        </Table.Tfoot>
      </Table>
    </Table.ScrollContainer>
  )
}

function Amounts(one: { readonly payments: number; readonly volume: number; readonly fees: number }) {
  const format = useFormats()
  const cells = {
    payments: format.number(one.payments),
    volume: format.money(one.volume),
    fees: format.money(one.fees),
    share: one.volume === 0 ? '–' : format.percent(-one.fees / one.volume),
  }
  return Object.entries(cells).map(([name, text]) => (
    <Table.Td key={name} ta="right" className="number">
      {text}
    </Table.Td>
  ))
}
