// Metrics of the chain: lag and length.
import { Gauge, type Registry } from 'prom-client'
import { type Clock, second } from '../kernel/time.ts'
import type { Database } from '../storage/index.ts'
import { idleMs } from './append.ts'
import { lastBatch, readProgress } from './store.ts'

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
    help: 'Number of batches in the chain; it never falls',
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
    help: 'Greatest age of records not yet in the chain, in seconds; -1 before the first batch',
    registers: [metrics],
    async collect() {
      try {
        const { committedUntil } = await readProgress(database)
        const signed = (await lastBatch(database))?.committedUntil ?? committedUntil
        if (committedUntil === undefined || signed === undefined) return this.set(-1)
        const now = clock.now()
        // An attacker may have changed the stored time. The signed one is at most an hour old.
        this.set(Math.max(0, now - committedUntil, now - signed - idleMs) / second)
      } catch (error) {
        onError(error)
      }
    },
  })
}
