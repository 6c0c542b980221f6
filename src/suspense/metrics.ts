// Metrics of suspense: number, total and age.
import { Gauge } from 'prom-client'
import type { SuspenseDeps } from './hold.ts'
import { suspenseTotals } from './store.ts'

const centsPerEuro = 100

type Totals = Awaited<ReturnType<typeof suspenseTotals>>

export function createSuspenseMetrics({
  database,
  clock,
  metrics,
  onError,
}: Pick<SuspenseDeps, 'database' | 'clock' | 'metrics' | 'onError'>): void {
  function register(name: string, help: string, read: (totals: Totals) => number): void {
    new Gauge({
      ...{ name, help, registers: [metrics] },
      async collect() {
        try {
          this.set(read(await suspenseTotals(database)))
        } catch (error) {
          onError(error)
        }
      },
    })
  }
  register('comporta_suspense_entries', 'Unresolved entries in suspense', ({ entries }) => entries)
  register(
    'comporta_suspense_euros',
    'Money in suspense that is neither refunded nor assigned',
    ({ total }) => Number(total) / centsPerEuro,
  )
  register('comporta_suspense_oldest_seconds', 'Age of the oldest money in suspense', ({ oldest }) =>
    oldest === undefined ? 0 : (clock.now() - oldest) / 1000,
  )
}
