// Chart of daily sales and refunds.
import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'
import type { HomeAnswer } from '../../../../src/backoffice/contract/home.ts'
import { useFormats } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { homeTexts } from './i18n.ts'

export function SalesChart({ days, height }: { readonly days: HomeAnswer['days']; readonly height: number }) {
  const t = useTexts(homeTexts)
  const format = useFormats()
  const sold = days.reduce((sum, { amount }) => sum + amount, 0)
  return (
    <div role="img" aria-label={`${t.chartAbout} ${format.money(sold)}`}>
      <BarChart
        h={height}
        data={days.map(({ day, amount, refunded }) => ({
          day: day.slice(5).split('-').reverse().join('/'),
          amount,
          refunded,
        }))}
        dataKey="day"
        series={[
          { name: 'amount', label: t.salesSeries, color: 'sea.6' },
          { name: 'refunded', label: t.refundSeries, color: 'orange.6' },
        ]}
        valueFormatter={(value) => format.money(value)}
        withLegend
        barProps={{ isAnimationActive: false }}
        barChartProps={{ accessibilityLayer: false, barCategoryGap: '12%', barGap: 0 }}
        yAxisProps={{ width: 84 }}
      />
    </div>
  )
}
