// Bank references over HTTP (SPEC.md "Bank-reference (MB) payments").
import { Type } from 'typebox'
import { type App, answers, callerOf, describeWebhooks, sendText } from '../../http/index.ts'
import { withIdempotency } from '../../idempotency/index.ts'
import { unwrap } from '../../kernel/result.ts'
import { operationExample, operationSchema } from '../../operations/index.ts'
import { deleteReference } from './delete.ts'
import type { MultibancoDeps } from './deps.ts'
import { webhooks } from './events.ts'
import type { NameReference } from './naming.ts'
import { createPayByReference, createRecurring } from './payments/pay.ts'
import {
  deleteBody,
  payBody,
  readName,
  readPayment,
  readRecurring,
  referenceAnswer,
  referenceBody,
} from './schemas.ts'

const payExample = {
  ...operationExample,
  status: 'PENDING',
  method: 'MB',
  amount_net: 10,
  fee: -0.5,
  refundable: false,
  channel: 'API',
  expires: '2026-03-02T23:59:59+0000',
  ext_invoiceid: '2026-0042',
  ext_email: 'ana@example.com',
  mb: { entity: '21312', ref: '123456789' },
}

export function referenceRoutes(deps: MultibancoDeps, nameReference: NameReference): (app: App) => void {
  const { clock, wallets } = deps
  const pay = createPayByReference(deps, nameReference)
  const openRecurring = createRecurring(deps, nameReference)
  const refusals = [
    'missing_parameter',
    'invalid_parameter',
    'below_minimum_amount',
    'above_maximum_amount',
    'limit_reached',
    'service_unavailable',
    'rail_unavailable',
  ] as const

  return (app) => {
    describeWebhooks(app, webhooks)
    app.post(
      '/api/v2/mb/pay',
      {
        config: {
          auth: { permission: 'mb_pay', rights: ['partner'] },
          refusals: [...refusals, 'invalid_split'],
        },
        schema: {
          operationId: 'createReferencePayment',
          summary: 'Make a reference to pay once',
          description:
            'Answers a PENDING payment with its reference in `mb`. The customer pays it at an ATM or in home banking, and a callback reports the payment. A wrong amount is refused; on the first day a callback USERERROR reports it.',
          tags: ['Bank references'],
          body: payBody,
          response: answers(operationSchema, payExample),
        },
      },
      async (request, reply) => {
        const caller = callerOf(request)
        const wallet = await wallets.get(caller.walletId)
        return withIdempotency(request, reply, {
          work: async (key) => pay(readPayment(request.body, wallet, clock.now()), { wallet, caller }, key),
        })
      },
    )

    app.post(
      '/api/v2/mb/reference',
      {
        config: { auth: { permission: 'mb_reference', rights: ['partner'] }, refusals },
        schema: {
          operationId: 'createRecurringReference',
          summary: 'Make a reference to pay many times',
          description:
            'Each payment between the two limits becomes an operation with a callback. The reference can be paid at once. The network knows the limits after a day; until then a wrong amount is refused with the callback USERERROR.',
          tags: ['Bank references'],
          body: referenceBody,
          response: answers(referenceAnswer, { mb: { entity: '21312', ref: '123456789' } }),
        },
      },
      async (request, reply) => {
        const wallet = await wallets.get(callerOf(request).walletId)
        return withIdempotency(request, reply, {
          work: async (key) => openRecurring(readRecurring(request.body, wallet, clock.now()), wallet, key),
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
          operationId: 'deleteReference',
          summary: 'Delete a reference',
          description:
            'Stops further payments. The operation of a reference for one payment becomes VOIDED. An instant reference cannot be deleted (10013).',
          tags: ['Bank references'],
          body: deleteBody,
          response: answers(Type.Array(Type.String(), { description: 'Always one text: OK.' }), ['OK']),
        },
      },
      async (request, reply) => {
        const name = unwrap(readName(request.body))
        unwrap(await deleteReference(deps, callerOf(request).walletId, name))
        const field = `reference ${name.entity} ${name.ref}`
        request.changes = [{ field, old: 'payable', new: 'deleted' }]
        return sendText(reply, '["OK"]') as never
      },
    )
  }
}
