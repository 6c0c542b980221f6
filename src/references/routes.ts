// Bank references over HTTP (SPEC.md "Bank-reference (MB) payments").
import { Type } from 'typebox'
import { type App, answerOnce, callerOf, sendText } from '../http/index.ts'
import { refuse, unwrap } from '../kernel/result.ts'
import { findOperation, operationOnWire, operationSchema } from '../operations/index.ts'
import { deleteReference } from './delete.ts'
import type { ReferencesDeps } from './deps.ts'
import type { ReferenceNumbers } from './numbers.ts'
import { createPayByReference } from './pay.ts'
import { createRecurring, referenceOnWire } from './recurring.ts'
import {
  deleteBody,
  payBody,
  readName,
  readPayment,
  readRecurring,
  referenceAnswer,
  referenceBody,
} from './schemas.ts'
import { findReference } from './store.ts'

export function referenceRoutes(deps: ReferencesDeps, numbers: ReferenceNumbers): (app: App) => void {
  const { database, clock, wallets } = deps
  const pay = createPayByReference(deps, numbers)
  const openRecurring = createRecurring(deps, numbers)
  const refusals = [
    'missing_parameter',
    'invalid_parameter',
    'below_minimum_amount',
    'above_maximum_amount',
    'service_unavailable',
  ] as const

  return (app) => {
    app.post(
      '/api/v2/mb/pay',
      {
        config: {
          auth: { permission: 'mb_pay', rights: ['partner'] },
          refusals: [...refusals, 'invalid_split'],
        },
        schema: {
          summary: 'Make a reference to pay once',
          tags: ['references'],
          body: payBody,
          response: { 200: operationSchema },
        },
      },
      async (request, reply) => {
        const caller = callerOf(request)
        const { walletId } = caller
        const wallet = await wallets.get(walletId)
        return answerOnce(request, reply, {
          async work(key) {
            const draft = unwrap(readPayment(request.body, wallet, clock.now()))
            const body = await pay(draft, { wallet, caller }, key)
            return body === undefined ? undefined : { body, kept: true }
          },
          async reread(id) {
            const operation = await findOperation(database, walletId, id)
            return operation === undefined
              ? unwrap(refuse('not_found', `there is no operation ${id}`))
              : JSON.stringify(operationOnWire(operation, wallet))
          },
        })
      },
    )

    app.post(
      '/api/v2/mb/reference',
      {
        config: { auth: { permission: 'mb_reference', rights: ['partner'] }, refusals },
        schema: {
          summary: 'Make a reference to pay many times',
          tags: ['references'],
          body: referenceBody,
          response: { 200: referenceAnswer },
        },
      },
      async (request, reply) => {
        const { walletId } = callerOf(request)
        const wallet = await wallets.get(walletId)
        return answerOnce(request, reply, {
          async work(key) {
            const draft = unwrap(readRecurring(request.body, wallet, clock.now()))
            const body = await openRecurring(draft, wallet, key)
            return body === undefined ? undefined : { body, kept: true }
          },
          async reread(id) {
            const reference = await findReference(database, walletId, id)
            return reference === undefined
              ? unwrap(refuse('not_found', `there is no reference ${id}`))
              : referenceOnWire(reference)
          },
        })
      },
    )

    app.delete(
      '/api/v2/mb/reference',
      {
        config: {
          auth: { permission: 'mb_reference', rights: ['partner'] },
          refusals: ['missing_parameter', 'invalid_parameter', 'not_found', 'illegal_state'],
        },
        schema: {
          summary: 'Delete a reference',
          tags: ['references'],
          body: deleteBody,
          response: { 200: Type.Array(Type.String()) },
        },
      },
      async (request, reply) => {
        const name = unwrap(readName(request.body))
        unwrap(await deleteReference(deps, callerOf(request).walletId, name))
        return sendText(reply, '["OK"]') as never
      },
    )
  }
}
