// The operator's first page: pending work and queues.
import type { App } from '../../http/index.ts'
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import { operatorHomeSchema, queuesSchema } from '../contract/operator/home.ts'
import type { BackofficeParts } from '../parts.ts'
import { operatorPrefix, operators } from './route-parts.ts'

const countedMax = 500

const momentOrNull = (at: Instant | undefined) => (at === undefined ? null : toTimestamp(at))

export function homeRoutes({ wallets, operator }: BackofficeParts): (app: App) => void {
  const { suspense, transfers: arrived, bank, reconciliation, audits, callbacks } = operator

  async function attention() {
    const [merchants, held, transfers, unmatched, states, [run], failing, failover] = await Promise.all([
      wallets.listMerchants(),
      suspense.list(false, countedMax),
      arrived.transfers(true, countedMax),
      bank.unmatched(countedMax),
      reconciliation.states(),
      audits.runs(1),
      callbacks.failingEndpoints(),
      operator.lastFailover(),
    ])
    return {
      failover: momentOrNull(failover),
      merchants: merchants.length,
      suspended: merchants.filter(({ suspendedAt }) => suspendedAt !== undefined).length,
      suspense: held.length,
      transfers: transfers.length,
      unmatched: unmatched.length,
      differences: states.reduce((sum, { unexplained }) => sum + unexplained, 0),
      failed_callbacks: failing.reduce((sum, { backlog, givenUp }) => sum + backlog + givenUp, 0),
      audit:
        run === undefined
          ? null
          : {
              at: toTimestamp(run.endedAt ?? run.startedAt),
              problems: run.problemsTotal,
              error: run.error ?? null,
              running: run.endedAt === undefined,
            },
    }
  }

  return (app) => {
    app.get(
      `${operatorPrefix}home`,
      {
        config: { people: operators },
        schema: { summary: 'Count pending work', response: { 200: operatorHomeSchema } },
      },
      attention,
    )

    app.get(
      `${operatorPrefix}queues`,
      { config: { people: operators }, schema: { summary: 'List queues', response: { 200: queuesSchema } } },
      async () => {
        const [queues, failing] = await Promise.all([operator.backlogs(), callbacks.failingEndpoints()])
        return {
          queues: queues.map(({ kind, waiting, due, oldest }) => ({
            ...{ kind, waiting, due, oldest: momentOrNull(oldest) },
          })),
          callbacks: failing.map((one) => ({
            ...{
              wallet_id: Number(one.walletId),
              lane: one.lane,
              backlog: one.backlog,
              given_up: one.givenUp,
            },
            oldest: momentOrNull(one.oldestDueAt),
            last_status: one.lastStatus ?? null,
            last_error: one.lastError ?? null,
          })),
        }
      },
    )
  }
}
