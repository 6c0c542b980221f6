// The sessions of a person. accounts/sign-in/auth-routes.ts has the rest of the account.
import { Type } from 'typebox'
import type { App, AppRequest } from '../../http/index.ts'
import { deny } from '../../kernel/result.ts'
import { toTimestamp } from '../../kernel/time.ts'
import type { Person } from '../access/person.ts'
import { endOtherSessions, endSession, sessionsOf } from '../accounts/store.ts'
import { ownSessionsSchema } from '../contract/session.ts'
import { emptyAnswer } from '../contract/team.ts'
import type { BackofficeParts } from '../parts.ts'

export function accountRoutes({ database, clock }: BackofficeParts): (app: App) => void {
  return (app) => {
    app.get(
      '/backoffice/api/account/sessions',
      { schema: { summary: 'List own sessions', response: { 200: ownSessionsSchema } } },
      async (request) => {
        const { userId, sessionId } = personIn(request)
        const sessions = await sessionsOf(database, userId, clock.now())
        return {
          sessions: sessions.map(({ id, createdAt, usedAt, address, userAgent }) => ({
            id,
            began_at: toTimestamp(createdAt),
            used_at: toTimestamp(usedAt),
            ...(address !== undefined && { address }),
            ...(userAgent !== undefined && { user_agent: userAgent }),
            is_this: id === sessionId,
          })),
        }
      },
    )

    app.delete(
      '/backoffice/api/account/sessions/:id',
      {
        schema: {
          summary: 'End an own session',
          params: Type.Object({ id: Type.String() }),
          response: { 200: emptyAnswer },
        },
      },
      async (request) => {
        const { userId } = personIn(request)
        if (!(await endSession(database, userId, request.params.id))) {
          return deny('not_found', 'there is no such session: it has ended')
        }
        return {}
      },
    )

    app.delete(
      '/backoffice/api/account/sessions',
      {
        schema: {
          summary: 'End all other own sessions',
          response: { 200: Type.Object({ ended: Type.Integer() }) },
        },
      },
      async (request) => {
        const { userId, sessionId } = personIn(request)
        return { ended: await endOtherSessions(database, userId, sessionId) }
      },
    )
  }
}

function personIn({ person }: Pick<AppRequest, 'person'>): Person {
  return person ?? deny('authentication_required', 'sign in first')
}
