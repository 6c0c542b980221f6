// The operator's metrics of callbacks: attempts by outcome, and how many deliveries wait.

import { Counter, Gauge } from 'prom-client'
import type { Core } from '../module.ts'
import type { DeliveryState } from './model.ts'
import { countDue } from './store.ts'

export interface DeliveryMetrics {
  /** An attempt was made and left its delivery in `state`; DUE means that it failed and will be repeated. */
  attempted(state: DeliveryState): void
}

export type MetricsDeps = Pick<Core, 'database' | 'clock' | 'metrics' | 'onError'>

/** Registers the metrics of callbacks. */
export function createDeliveryMetrics({ database, clock, metrics, onError }: MetricsDeps): DeliveryMetrics {
  const attempts = new Counter({
    name: 'comporta_callback_attempts_total',
    help: 'Attempts to deliver callbacks, by what became of the delivery',
    labelNames: ['outcome'],
    registers: [metrics],
  })
  new Gauge({
    name: 'comporta_callbacks_due',
    help: 'Callbacks that are due now, those being attempted included',
    registers: [metrics],
    async collect() {
      try {
        this.set(await countDue(database, clock.now()))
      } catch (error) {
        // The other metrics matter most when the database cannot be reached.
        onError(error)
      }
    },
  })
  return { attempted: (state) => attempts.inc({ outcome: state === 'DUE' ? 'failed' : state.toLowerCase() }) }
}
