// Chart of the daily balance.
import '@mantine/charts/styles.css'
import { AreaChart } from '@mantine/charts'
import { useFormats } from '../../i18n/format.ts'
import type { StatementAnswer } from './answers.ts'
import { movedDay } from './queries.ts'

const height = 260

export default function BalanceChart({
  statement,
  label,
}: {
  readonly statement: StatementAnswer
  readonly label: string
}) {
  const format = useFormats()
  const data = closingByDay(statement).map(({ day, closing }) => ({ day: format.day(day), closing }))
  const first = data.at(0)
  const last = data.at(-1)
  return (
    <div
      role="img"
      aria-label={`${label}: ${first?.day} ${format.money(first?.closing ?? 0)}, ${last?.day} ${format.money(last?.closing ?? 0)}`}
    >
      <AreaChart
        h={height}
        data={data}
        dataKey="day"
        series={[{ name: 'closing', label, color: 'sea.6' }]}
        curveType="stepAfter"
        withDots={false}
        withGradient
        tickLine="none"
        gridAxis="y"
        valueFormatter={(value) => format.money(value)}
        yAxisProps={{ width: 90 }}
        xAxisProps={{ minTickGap: 40 }}
        areaChartProps={{ accessibilityLayer: false }}
      />
    </div>
  )
}

/** A day without entries has the balance of the day before. */
function closingByDay({ startdate, enddate, opening, days }: StatementAnswer) {
  const closings = new Map(days.map(({ day, closing }) => [day, closing]))
  const course: { readonly day: string; readonly closing: number }[] = []
  let closing = opening
  for (let day = startdate; day <= enddate; day = movedDay(day, 1)) {
    closing = closings.get(day) ?? closing
    course.push({ day, closing })
  }
  return course
}
