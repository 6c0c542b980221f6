// The team of a merchant, and the log of who did what.
import { type App, callerOf } from '../../http/index.ts'
import { refuse, unwrap } from '../../kernel/result.ts'
import { toTimestamp } from '../../kernel/time.ts'
import { listActions } from '../access/actions-store.ts'
import { walletPrefix } from '../access/guard.ts'
import { actionsQuery, actionsSchema } from '../contract/team.ts'
import type { BackofficeParts } from '../parts.ts'

const actionsPerPage = 50

export function teamRoutes({ database }: BackofficeParts): (app: App) => void {
  return (app) => {
    app.get(
      `${walletPrefix}actions`,
      {
        schema: {
          summary: 'Who did what',
          querystring: actionsQuery,
          response: { 200: actionsSchema },
        },
      },
      async (request) => {
        const { walletId } = callerOf(request)
        const { before } = request.query
        if (before !== undefined && !/^\d{1,18}$/.test(before)) {
          return unwrap(refuse('invalid_parameter', 'before must be the value of next'))
        }
        const page = { before: before === undefined ? undefined : BigInt(before), limit: actionsPerPage }
        const actions = await listActions(database, walletId, page)
        const last = actions.length === actionsPerPage ? actions.at(-1) : undefined
        return {
          actions: actions.map(({ at, email, action, target, status, tid }) => {
            return { at: toTimestamp(at), email, action, target, status, tid }
          }),
          ...(last && { next: String(last.id) }),
        }
      },
    )
  }
}
