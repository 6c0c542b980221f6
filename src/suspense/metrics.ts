// The operator's metrics of suspense: how much waits there, and since when.
import { Gauge } from 'prom-client'
import type { SuspenseDeps } from './deps.ts'
import { suspenseTotals } from './store.ts'

const centsPerEuro = 100

/** Registers `comporta_suspense_entries`, `comporta_suspense_euros` and `comporta_suspense_oldest_seconds`. */
export function createSuspenseMetrics({
  database,
  clock,
  metrics,
  onError,
}: Pick<SuspenseDeps, 'database' | 'clock' | 'metrics' | 'onError'>): void {
  const gauge = (name: string, help: string, collect?: () => Promise<void>) =>
    new Gauge({ name, help, registers: [metrics], ...(collect && { collect }) })
  const euros = gauge('comporta_suspense_euros', 'Money in suspense that is neither given back nor assigned')
  const oldest = gauge('comporta_suspense_oldest_seconds', 'For how long the oldest of it has been there')
  const entries = gauge(
    'comporta_suspense_entries',
    'Entries in suspense that are not resolved',
    async () => {
      try {
        const totals = await suspenseTotals(database)
        entries.set(totals.entries)
        euros.set(Number(totals.total) / centsPerEuro)
        oldest.set(totals.oldest === undefined ? 0 : (clock.now() - totals.oldest) / 1000)
      } catch (error) {
        onError(error)
      }
    },
  )
}
