// The requests service: what became of a request that was made under an id of its own (CONTRACT section 5).
import { Type } from 'typebox'
import { findStoring } from '../card-payments/index.ts'
import { type App, callerOf, idOf, sendText } from '../http/index.ts'
import { refuse, unwrap } from '../kernel/result.ts'
import { findMandate, type Mandate } from '../mandates/index.ts'
import { findOperation, type OperationStatus } from '../operations/index.ts'
import { findReference } from '../references/index.ts'
import { findRequest } from '../storage/index.ts'
import { type ChargeStatus, findChargeById } from '../subscriptions/index.ts'
import type { CheckoutsDeps } from './deps.ts'
import { findCheckout } from './store.ts'
import { subjectOf } from './subject-rules.ts'

type RequestStatus = 'NEW' | 'PENDING' | 'COMPLETED' | 'FAIL'

const statusOf: Record<OperationStatus, RequestStatus> = {
  NEW: 'NEW',
  PENDING: 'PENDING',
  COMPLETED: 'COMPLETED',
  FAIL: 'FAIL',
  VOIDED: 'FAIL',
}

const statusOfCharge: Record<ChargeStatus, RequestStatus> = {
  NEW: 'NEW',
  PROCESSING: 'PENDING',
  SUCCESS: 'COMPLETED',
  FAIL: 'FAIL',
}

/** Approved once is approved, whatever became of the mandate since; only an approved one has a last day. */
function statusOfMandate({ state, expiryDate }: Mandate): RequestStatus {
  if (state === 'REQUESTED') return 'PENDING'
  return expiryDate === undefined ? 'FAIL' : 'COMPLETED'
}

interface Outcome {
  readonly status: RequestStatus
  /** Whether it asked to store a card: until there is one, what can be read of that is this outcome. */
  readonly storesCard?: boolean
  readonly token?: string
}

/** `GET /api/v2/requests/<uuid>`: any key of the wallet may ask; the token of a card is for those with `card`. */
export function requestsRoutes({ database, clock, baseUrl }: CheckoutsDeps): (app: App) => void {
  async function outcomeOf(walletId: bigint, id: string): Promise<Outcome> {
    const checkout = await findCheckout(database, walletId, id)
    const subject = checkout === undefined ? await findOperation(database, walletId, id) : subjectOf(checkout)
    if (subject !== undefined) return { status: statusOf[subject.status] }
    const charge = await findChargeById(database, walletId, id)
    if (charge !== undefined) return { status: statusOfCharge[charge.status] }
    const mandate = await findMandate({ database, clock }, walletId, id)
    if (mandate !== undefined) return { status: statusOfMandate(mandate) }
    const storing = await findStoring(database, walletId, id)
    if (storing === undefined) {
      const recurring = await findReference(database, walletId, id)
      return { status: recurring === undefined ? 'PENDING' : 'COMPLETED' }
    }
    const { state: status, token } = storing
    return token === undefined ? { status, storesCard: true } : { status, token: token.toUpperCase() }
  }

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
