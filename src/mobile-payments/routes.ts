// Direct payments over HTTP: `POST /api/v2/payment` (CONTRACT section 12).
import { type App, callerOf } from '../http/index.ts'
import { answerOnce } from '../idempotency/index.ts'
import { type CustomerEngine, operationSchema } from '../operations/index.ts'
import type { MobilePaymentsDeps } from './deps.ts'
import type { PhoneDetails } from './model.ts'
import { payDirectly } from './paying/pay-directly.ts'
import { directPaymentBody } from './schemas.ts'

export function mobilePaymentRoutes(
  deps: MobilePaymentsDeps,
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
            'illegal_state',
            'period_total_reached',
            'too_many_requests',
            'rail_unavailable',
          ],
        },
        schema: {
          summary: 'Ask for a payment or an authorization on a phone',
          tags: ['payments'],
          body: directPaymentBody,
          response: { 200: operationSchema },
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
