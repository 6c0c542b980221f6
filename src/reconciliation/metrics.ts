// Metrics of reconciliation, by connection.
import { Gauge, type Registry } from 'prom-client'
import { daysBetween, lisbonDayOf, startOfLisbonDay } from '../kernel/lisbon.ts'
import { type Clock, second } from '../kernel/time.ts'
import type { Database } from '../storage/index.ts'
import { type ConnectionState, statesOfConnections } from './differences-store.ts'

const centsPerEuro = 100

export function registerReconciliationMetrics(deps: {
  readonly database: Database
  readonly clock: Clock
  readonly metrics: Registry
  readonly onError: (error: unknown) => void
}): void {
  let reading: Promise<readonly ConnectionState[]> | undefined

  /** One query serves all gauges of a scrape. */
  function states(): Promise<readonly ConnectionState[]> {
    reading ??= statesOfConnections(deps.database).finally(() => {
      reading = undefined
    })
    return reading
  }

  function gauge(name: string, help: string, of: (state: ConnectionState) => number | undefined) {
    new Gauge({
      name: `comporta_reconciliation_${name}`,
      help,
      labelNames: ['connection'],
      registers: [deps.metrics],
      async collect() {
        try {
          const all = await states()
          this.reset()
          for (const state of all) {
            const value = of(state)
            if (value !== undefined) this.set({ connection: String(state.connectionId) }, value)
          }
        } catch (error) {
          // If the database is down, only these metrics are missing: the others must stay readable.
          deps.onError(error)
        }
      },
    })
  }

  gauge(
    'differences',
    'Differences between statement and ledger without an explanation',
    (state) => state.unexplained,
  )
  gauge(
    'difference_euros',
    'Sum of these differences, without their signs',
    (state) => Number(state.unexplainedAmount) / centsPerEuro,
  )
  gauge('oldest_days', 'Age of the oldest of these differences, in days; 0 without any', ({ oldest }) =>
    oldest === undefined ? 0 : daysBetween(oldest, lisbonDayOf(deps.clock.now())),
  )
  gauge(
    'read_until_timestamp_seconds',
    'Start of the last day up to which every statement was read',
    ({ readUntil }) => (readUntil === undefined ? undefined : startOfLisbonDay(readUntil) / second),
  )
}
