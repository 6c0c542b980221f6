// Direct payments over HTTP: `POST /api/v2/payment` (CONTRACT section 12).
import { type App, answers, callerOf } from '../../../http/index.ts'
import { answerOnce } from '../../../idempotency/index.ts'
import type { CustomerEngine } from '../../../operations/for-methods.ts'
import { operationExample, operationSchema } from '../../../operations/index.ts'
import type { MbwayDeps } from '../deps.ts'
import type { PhoneDetails } from './attempts.ts'
import { payDirectly } from './pay-directly.ts'
import { directPaymentBody } from './schemas.ts'

const waitingExample = {
  ...operationExample,
  status: 'PENDING',
  method: 'MBWAY',
  amount_net: 10.34,
  fee: -0.16,
  refundable: false,
  channel: 'API',
  ext_invoiceid: '2026-0042',
  client: { phone: '+351911234567' },
  mbway: { phone: '+351911234567' },
}

export function mobilePaymentRoutes(
  deps: MbwayDeps,
  engine: CustomerEngine<PhoneDetails>,
): (app: App) => void {
  const { wallets } = deps
  return (app) => {
    app.post(
      '/api/v2/payment',
      {
        config: {
          auth: { permission: 'checkout' },
          refusals: [
            'missing_parameter',
            'invalid_parameter',
            'not_found',
            'below_minimum_amount',
            'above_maximum_amount',
            'illegal_state',
            'limit_reached',
            'period_total_reached',
            'too_many_requests',
            'rail_unavailable',
          ],
        },
        schema: {
          operationId: 'createMobilePayment',
          summary: 'Ask for a payment or an authorization on a phone',
          description:
            'Answers PENDING; the customer has 4 minutes to approve, and a callback tells. Under a mandate nobody is asked. At most 3 questions are open per phone and merchant: 10029. A valid number that is not registered with the mobile wallet is refused with 10002.',
          tags: ['Mobile wallet'],
          body: directPaymentBody,
          response: answers(operationSchema, waitingExample),
        },
      },
      async (request, reply) => {
        const caller = callerOf(request)
        const { walletId, permissions, rights } = caller
        const wallet = await wallets.get(walletId)
        const mayUseMandates = permissions.has('mandates') && rights.has('partner')
        return answerOnce(request, reply, {
          work: (key) =>
            payDirectly(deps, engine, { wallet, body: request.body, key, caller, mayUseMandates }),
        }) as never
      },
    )
  }
}
