// The metric of provider webhooks.
import { Counter, type Registry } from 'prom-client'

/** `repeated`: stored before. `refused`: wrong signature. `unknown`: no such connection. `failed`: will be retried. */
export type WebhookOutcome =
  | 'accepted'
  | 'repeated'
  | 'refused'
  | 'unknown'
  | 'handled'
  | 'failed'
  | 'given_up'

export type CountWebhook = (driver: string, outcome: WebhookOutcome) => void

export function createWebhookCounter(metrics: Registry): CountWebhook {
  const counter = new Counter({
    name: 'comporta_rail_webhooks_total',
    help: 'Webhooks of payment providers, by driver and outcome',
    labelNames: ['driver', 'outcome'],
    registers: [metrics],
  })
  return (driver, outcome) => counter.inc({ driver, outcome })
}
