// The operator's metrics of suspense: how much waits there, and since when.
import { Gauge } from 'prom-client'
import type { SuspenseDeps } from './deps.ts'
import { suspenseTotals } from './store.ts'

const centsPerEuro = 100

type Totals = Awaited<ReturnType<typeof suspenseTotals>>

/** Registers `comporta_suspense_entries`, `comporta_suspense_euros` and `comporta_suspense_oldest_seconds`. */
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
  register('comporta_suspense_entries', 'Entries in suspense that are not resolved', ({ entries }) => entries)
  register(
    'comporta_suspense_euros',
    'Money in suspense that is neither given back nor assigned',
    ({ total }) => Number(total) / centsPerEuro,
  )
  register(
    'comporta_suspense_oldest_seconds',
    'For how long the oldest money in suspense has been there',
    ({ oldest }) => (oldest === undefined ? 0 : (clock.now() - oldest) / 1000),
  )
}
