// Metrics of mail: attempts by outcome, and mails that fail.
import { Counter, Gauge } from 'prom-client'
import type { Core } from '../module.ts'
import type { MailState } from './model.ts'
import { failingMails } from './store.ts'

export type MailMetrics = ReturnType<typeof createMailMetrics>

export function createMailMetrics({
  database,
  metrics,
  onError,
}: Pick<Core, 'database' | 'metrics' | 'onError'>) {
  const attempts = new Counter({
    name: 'comporta_mail_attempts_total',
    help: 'Attempts to send mail, by the new state of the mail',
    labelNames: ['outcome'],
    registers: [metrics],
  })
  new Gauge({
    name: 'comporta_mails_failing',
    help: 'Mails whose last attempt failed and that are tried again',
    registers: [metrics],
    async collect() {
      try {
        this.set(await failingMails(database))
      } catch (error) {
        onError(error)
      }
    },
  })
  return {
    attempted: (state: MailState) =>
      attempts.inc({ outcome: state === 'WAITING' ? 'failed' : state.toLowerCase() }),
  }
}
