// Bank references over HTTP (SPEC.md "Bank-reference (MB) payments").
import { Type } from 'typebox'
import { type App, callerOf, sendText } from '../http/index.ts'
import { answerOnce } from '../idempotency/index.ts'
import { unwrap } from '../kernel/result.ts'
import { operationSchema } from '../operations/index.ts'
import { deleteReference } from './delete.ts'
import type { BankReferencesDeps } from './deps.ts'
import { createPayByReference } from './payments/pay.ts'
import { createRecurring } from './payments/recurring.ts'
import type { NameReference } from './providers/naming.ts'
import {
  deleteBody,
  payBody,
  readName,
  readPayment,
  readRecurring,
  referenceAnswer,
  referenceBody,
} from './schemas.ts'

export function referenceRoutes(deps: BankReferencesDeps, nameReference: NameReference): (app: App) => void {
  const { clock, wallets } = deps
  const pay = createPayByReference(deps, nameReference)
  const openRecurring = createRecurring(deps, nameReference)
  const refusals = [
    'missing_parameter',
    'invalid_parameter',
    'below_minimum_amount',
    'above_maximum_amount',
    'service_unavailable',
    'rail_unavailable',
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
        const wallet = await wallets.get(caller.walletId)
        return answerOnce(request, reply, {
          work: async (key) =>
            pay(unwrap(readPayment(request.body, wallet, clock.now())), { wallet, caller }, key),
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
        const wallet = await wallets.get(callerOf(request).walletId)
        return answerOnce(request, reply, {
          work: async (key) =>
            openRecurring(unwrap(readRecurring(request.body, wallet, clock.now())), wallet, key),
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
