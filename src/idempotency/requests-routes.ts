// The requests service: what became of a request that was made under a key of its own (CONTRACT section 5).
import { Type } from 'typebox'
import { type App, callerOf, idOf, sendText } from '../http/index.ts'
import { refuse, unwrap } from '../kernel/result.ts'
import type { Database } from '../storage/index.ts'
import { findRequest } from './store.ts'

/** What became of what a request made. */
export interface RequestOutcome {
  readonly status: 'NEW' | 'PENDING' | 'COMPLETED' | 'FAIL'
  /** Whether it asked to store a card: until there is one, what can be read of that is this outcome. */
  readonly storesCard?: boolean
  readonly token?: string
}

export interface RequestsRoutesDeps {
  readonly database: Database
  readonly baseUrl: string
  /** What became of what the wallet's request made; given by who knows all that a request can make. */
  outcomeOf(walletId: bigint, resourceId: string): Promise<RequestOutcome>
}

/** `GET /api/v2/requests/<uuid>`: any key of the wallet may ask; the token of a card is for those with `card`. */
export function requestsRoutes({ database, baseUrl, outcomeOf }: RequestsRoutesDeps): (app: App) => void {
  return (app) => {
    app.get(
      '/api/v2/requests/:id',
      {
        config: { auth: {}, refusals: ['not_found'] },
        schema: {
          summary: 'What became of a request',
          tags: ['requests'],
          params: Type.Object({ id: Type.String() }),
          response: {
            200: Type.Object({
              request_id: Type.String(),
              status: Type.String(),
              method: Type.Literal('GET'),
              href: Type.String(),
              token: Type.Optional(Type.String()),
            }),
          },
        },
      },
      async (request, reply) => {
        const { walletId, permissions } = callerOf(request)
        const id = unwrap(idOf(request.params.id, 'request'))
        const known = await findRequest(database, walletId, id)
        if (known === undefined) return unwrap(refuse('not_found', `there is no request ${id}`))
        const { status, storesCard, token } = await outcomeOf(walletId, known.resourceId)
        const itself = `${baseUrl}/api/v2/requests/${id}`
        const answer = { request_id: id, status, method: 'GET' }
        if (token === undefined)
          return sendText(
            reply,
            JSON.stringify({ ...answer, href: storesCard === true ? itself : baseUrl + known.href }),
          )
        const shown = permissions.has('card')
          ? { href: `${baseUrl}/prows/v2/creditcard/${token}`, token }
          : { href: itself }
        return sendText(reply, JSON.stringify({ ...answer, ...shown }))
      },
    )
  }
}
