// The audit and the action log of all merchants.
import { Type } from 'typebox'
import type { App } from '../../http/index.ts'
import { deny, unwrap } from '../../kernel/result.ts'
import { toTimestamp } from '../../kernel/time.ts'
import { actionOnWire, listActions } from '../access/actions-store.ts'
import { allActionsSchema, auditSchema } from '../contract/operator/audit.ts'
import { actionsQuery } from '../contract/team.ts'
import type { BackofficeParts } from '../parts.ts'
import { operatorPrefix, operators } from './route-parts.ts'

const runsShown = 10
const actionsPerPage = 50

export function auditRoutes({ database, operator: { audits } }: BackofficeParts): (app: App) => void {
  async function runs() {
    const shown = (await audits.runs(runsShown)).map((run) => ({
      id: Number(run.id),
      started: toTimestamp(run.startedAt),
      started_by: run.startedBy,
      ended: run.endedAt === undefined ? null : toTimestamp(run.endedAt),
      checks_total: run.checksTotal,
      checks: { ...run.checks },
      problems: run.problems.map((problem) => ({ ...problem })),
      problems_total: run.problemsTotal,
      error: run.error ?? null,
    }))
    return { runs: shown }
  }

  return (app) => {
    app.get(
      `${operatorPrefix}audit`,
      {
        config: { people: operators },
        schema: { summary: 'Read the last audits', response: { 200: auditSchema } },
      },
      runs,
    )

    app.post(
      `${operatorPrefix}audit`,
      {
        config: { people: operators },
        schema: { summary: 'Run the audit', body: Type.Object({}), response: { 200: auditSchema } },
      },
      async ({ person }) => {
        unwrap(await audits.begin(person?.email ?? ''))
        return runs()
      },
    )

    app.get(
      `${operatorPrefix}actions`,
      {
        config: { people: operators },
        schema: {
          summary: 'List actions of all merchants',
          querystring: actionsQuery,
          response: { 200: allActionsSchema },
        },
      },
      async ({ query: { before } }) => {
        if (before !== undefined && !/^\d{1,18}$/.test(before))
          return deny('invalid_parameter', 'before must be the value of next')
        const page = { before: before === undefined ? undefined : BigInt(before), limit: actionsPerPage }
        const actions = await listActions(database, 'all', page)
        const last = actions.length === actionsPerPage ? actions.at(-1) : undefined
        return {
          actions: actions.map(({ id, walletId, address, ...action }) => ({
            ...{ id: String(id), ...actionOnWire(action) },
            ...(address !== null && { address }),
            wallet_id: walletId === null ? null : Number(walletId),
          })),
          ...(last && { next: String(last.id) }),
        }
      },
    )
  }
}
