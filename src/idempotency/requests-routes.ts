// GET /api/v2/requests/<uuid>: the result of a request with a key (CONTRACT section 5).
import { Type } from 'typebox'
import {
  type App,
  answers,
  callerOf,
  exampleId,
  idField,
  idOf,
  idParameter,
  sendText,
  wordField,
} from '../http/index.ts'
import { deny, unwrap } from '../kernel/result.ts'
import type { Database } from '../storage/index.ts'
import { findRequest } from './store.ts'

const requestStatuses = ['NEW', 'PENDING', 'COMPLETED', 'FAIL'] as const

const requestSchema = Type.Object(
  {
    request_id: idField('The `request_id` of the request.'),
    status: wordField(requestStatuses, 'Id of the created object.'),
    method: Type.Literal('GET', { description: 'HTTP method to read `href`.' }),
    href: Type.String({ description: 'Address of the created object.' }),
    token: Type.Optional(
      Type.String({ description: 'Token of the stored card. Present once 3-D Secure has succeeded.' }),
    ),
  },
  { title: 'RequestOutcome', description: 'Result of a request.' },
)

export interface RequestOutcome {
  readonly status: (typeof requestStatuses)[number]
  /** True if the request stored a card. Until the card exists, only the outcome is readable. */
  readonly storesCard?: boolean
  readonly token?: string
}

export interface RequestsRoutesDeps {
  readonly database: Database
  readonly baseUrl: string
  outcomeOf(walletId: bigint, resourceId: string): Promise<RequestOutcome>
}

/** Any key of the wallet may read outcomes. A card's token needs the permission `card`. */
export function requestsRoutes({ database, baseUrl, outcomeOf }: RequestsRoutesDeps): (app: App) => void {
  return (app) => {
    app.get(
      '/api/v2/requests/:id',
      {
        config: { auth: {}, refusals: ['not_found'] },
        schema: {
          operationId: 'getRequest',
          summary: 'Read the result of a request',
          description:
            'Use it if your program has lost the answer, or to get the token of a stored card. Requests are kept for 30 days. Any key of the wallet may read it. The token needs the permission `card`.',
          tags: ['Requests'],
          params: idParameter('request'),
          response: answers(requestSchema, {
            request_id: exampleId,
            status: 'COMPLETED',
            method: 'GET',
            href: 'https://pay.example/prows/v2/creditcard/0198C2F5-91AA-7D02-8C55-6E1F4A9B2D30',
            token: '0198C2F5-91AA-7D02-8C55-6E1F4A9B2D30',
          }),
        },
      },
      async (request, reply) => {
        const { walletId, permissions } = callerOf(request)
        const id = unwrap(idOf(request.params.id, 'request'))
        const known = await findRequest(database, walletId, id)
        if (known === undefined) return deny('not_found', `there is no request ${id}`)
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
