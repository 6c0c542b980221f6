// Metrics of callbacks: attempts by outcome, and the backlog.
import { Counter, Gauge } from 'prom-client'
import type { Core } from '../module.ts'
import type { DeliveryState } from './model.ts'
import { countDue } from './store.ts'

export interface DeliveryMetrics {
  attempted(state: DeliveryState): void
}

export type MetricsDeps = Pick<Core, 'database' | 'clock' | 'metrics' | 'onError'>

export function createDeliveryMetrics({ database, clock, metrics, onError }: MetricsDeps): DeliveryMetrics {
  const attempts = new Counter({
    name: 'comporta_callback_attempts_total',
    help: 'Attempts to deliver callbacks, by the new state of the delivery',
    labelNames: ['outcome'],
    registers: [metrics],
  })
  new Gauge({
    name: 'comporta_callbacks_due',
    help: 'Due callbacks, including running attempts',
    registers: [metrics],
    async collect() {
      try {
        this.set(await countDue(database, clock.now()))
      } catch (error) {
        onError(error)
      }
    },
  })
  return { attempted: (state) => attempts.inc({ outcome: state === 'DUE' ? 'failed' : state.toLowerCase() }) }
}
