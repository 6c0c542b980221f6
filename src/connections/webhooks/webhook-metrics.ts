// The operator's metric of what providers send: by driver, and by what became of it.
import { Counter, type Registry } from 'prom-client'

/**
 * `accepted` and stored, `repeated` (stored before), `refused` (not the provider's), `unknown` (no such connection),
 * `handled`, `failed` (to be tried again), `given_up`.
 */
export type WebhookOutcome =
  | 'accepted'
  | 'repeated'
  | 'refused'
  | 'unknown'
  | 'handled'
  | 'failed'
  | 'given_up'

export type CountWebhook = (driver: string, outcome: WebhookOutcome) => void

/** Registers `comporta_rail_webhooks_total`. */
export function createWebhookCounter(metrics: Registry): CountWebhook {
  const counter = new Counter({
    name: 'comporta_rail_webhooks_total',
    help: 'Webhooks of payment providers, by driver and by what became of them',
    labelNames: ['driver', 'outcome'],
    registers: [metrics],
  })
  return (driver, outcome) => counter.inc({ driver, outcome })
}
