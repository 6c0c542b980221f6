// The operator's metrics of the chain: how far it is behind, and how long it is.
import { Gauge, type Registry } from 'prom-client'
import { type Clock, second } from '../kernel/time.ts'
import type { Database } from '../storage/index.ts'
import { lastBatch, readProgress } from './store.ts'

/** Registers `comporta_chain_lag_seconds` and `comporta_chain_batches`. */
export function createChainMetrics({
  database,
  clock,
  metrics,
  onError,
}: {
  readonly database: Database
  readonly clock: Clock
  readonly metrics: Registry
  readonly onError: (error: unknown) => void
}): void {
  new Gauge({
    name: 'comporta_chain_batches',
    help: 'How many batches the chain has: never fewer than before',
    registers: [metrics],
    async collect() {
      try {
        this.set(Number((await lastBatch(database))?.number ?? 0n))
      } catch (error) {
        onError(error)
      }
    },
  })
  new Gauge({
    name: 'comporta_chain_lag_seconds',
    help: 'For how long what was written may not be chained yet; -1 while history is chained',
    registers: [metrics],
    async collect() {
      try {
        const { through } = await readProgress(database)
        this.set(through === undefined ? -1 : Math.max(0, (clock.now() - through) / second))
      } catch (error) {
        onError(error)
      }
    },
  })
}
