// Home page of a merchant.
import { Grid, Paper, SimpleGrid, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import type { HomeAnswer, PeriodFigures } from '../../../../src/backoffice/contract/home.ts'
import { read } from '../../api.ts'
import { useFormats } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { Loaded, PageHead, Panel } from '../../kit/page.tsx'
import { useWallet } from '../../session.ts'
import { homeTexts } from './i18n.ts'
import { MethodFigures } from './method-figures.tsx'
import { Waiting } from './waiting.tsx'

/** The chart is most of the code of this page, so it loads after the rest. */
const SalesChart = lazy(() => import('./sales-chart.tsx').then(({ SalesChart }) => ({ default: SalesChart })))

const chartHeight = 260

export function Page() {
  const t = useTexts(homeTexts)
  const { api } = useWallet()
  const query = useQuery({
    queryKey: [api, 'home'],
    queryFn: ({ signal }) => read<HomeAnswer>(`${api}/home`, signal),
  })
  return (
    <>
      <PageHead title={t.title} about={t.about} />
      <Loaded query={query}>{(home) => <Home home={home} />}</Loaded>
    </>
  )
}

function Home({ home }: { readonly home: HomeAnswer }) {
  const t = useTexts(homeTexts)
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 3 }} mb="lg">
        {(['today', 'week', 'month'] as const).map((name) => (
          <Period key={name} title={t[name]} figures={home[name]} />
        ))}
      </SimpleGrid>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <Panel title={t.sales}>
            <Suspense fallback={<div style={{ height: chartHeight }} />}>
              <SalesChart days={home.days} height={chartHeight} />
            </Suspense>
          </Panel>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <Panel title={t.waiting}>
            <Waiting waiting={home.waiting} />
          </Panel>
        </Grid.Col>
        <Grid.Col span={12}>
          <Panel title={t.methods}>
            <MethodFigures methods={home.methods} />
          </Panel>
        </Grid.Col>
      </Grid>
    </>
  )
}

function Period({ title, figures }: { readonly title: string; readonly figures: PeriodFigures }) {
  const t = useTexts(homeTexts)
  const format = useFormats()
  const { amount, payments, refunded, amount_before: before } = figures
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Text size="sm" c="dimmed" fw={600}>
        {title}
      </Text>
      <Text size="xl" fw={700} className="number">
        {format.money(amount)}
      </Text>
      <Text size="sm">
        {format.number(payments)} {t.payments}
        {refunded > 0 && ` · ${format.money(refunded)} ${t.refunded}`}
      </Text>
      <Text size="sm" c="dimmed" className="number">
        {before === 0
          ? t.noneBefore
          : `${changeOf(amount, before, format)} · ${format.money(before)} ${t.before}`}
      </Text>
    </Paper>
  )
}

function changeOf(now: number, before: number, format: ReturnType<typeof useFormats>): string {
  const change = now / before - 1
  const arrow = change > 0 ? '↑' : change < 0 ? '↓' : '='
  return `${arrow} ${format.percent(Math.abs(change))}`
}
