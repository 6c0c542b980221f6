// Metric of approvals that must be reversed.
import { Gauge, type Registry } from 'prom-client'
import type { Database } from '../../storage/index.ts'
import { countUnreversed } from './store.ts'

export function registerAttemptMetrics(deps: {
  readonly database: Database
  readonly metrics: Registry
  readonly onError: (error: unknown) => void
}): void {
  new Gauge({
    name: 'comporta_late_approvals_unreversed',
    help: 'Requests that a rail approved although their operation ended otherwise, not reversed yet',
    registers: [deps.metrics],
    async collect() {
      try {
        this.set(await countUnreversed(deps.database))
      } catch (error) {
        // If the database is down, only this metric is missing: the others must stay readable.
        deps.onError(error)
      }
    },
  })
}
