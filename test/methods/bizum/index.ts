// BIZUM: the customer agrees in the bank's app; then the payment is captured.
import { Type } from 'typebox'
import { phoneSchema } from '../../http/index.ts'
import { createdWithClaim } from '../../idempotency/index.ts'
import { ok, refuse } from '../../kernel/result.ts'
import { parsePhone } from '../../kernel/values/phones.ts'
import { createCustomerEngine, findAttemptByKey } from '../../operations/for-methods.ts'
import { operationExample } from '../../operations/index.ts'
import type { DirectPayments } from '../direct.ts'
import type { PaymentMethod } from '../method.ts'
import { bizumChecks } from './audit.ts'
import { bizum } from './facts.ts'
import { bizumPage } from './page.ts'
import { type BizumDeps, type BizumDetails, bizumHandler, bizumRail, startBizum } from './rail.ts'

export function createBizum(deps: BizumDeps): PaymentMethod {
  const engine = createCustomerEngine(deps, bizumHandler(deps))
  const request = { method: bizum.code, type: 'PAYMENT', amount: 10, currency: 'EUR' }
  const direct: DirectPayments = {
    fields: { bizum: Type.Optional(Type.Object({ phone: phoneSchema }, { title: 'BizumPayer' })) },
    described: 'With BIZUM the customer has three hours, in the app of their bank.',
    bodyDescribed: 'BIZUM takes `bizum.phone`.',
    examples: {
      request: { ...request, bizum: { phone: '+351911234567' } },
      answer: { ...operationExample, ...request, status: 'PENDING' },
    },
    read({ bizum: payer }: { bizum?: { phone?: string } }) {
      if (!payer?.phone) return refuse('missing_parameter', 'bizum.phone is required')
      const phone = parsePhone(payer.phone, 'bizum.phone')
      if (!phone.ok) return phone
      return ok(async ({ wallet, opening }) => {
        // Undecided until the customer agrees.
        const { id, operation, answer, open } = opening(phone.value, { underApproval: false })
        const payer = { phone: phone.value, wallet, language: 'pt', returnUrl: deps.baseUrl } as const
        const order = { ...payer, operation, owner: 'direct', key: id, token: id, open } as const
        return createdWithClaim((await startBizum(deps, engine, order)) !== undefined, answer)
      })
    },
  }
  return {
    code: bizum.code,
    page: bizumPage(deps, engine),
    direct,
    rail: bizumRail(deps),
    attempts: engine,
    notices: {
      async onlineWallet(key) {
        const attempt = await findAttemptByKey<BizumDetails>(deps.database, bizum.code, key)
        if (attempt !== undefined) await engine.advance(attempt)
        return attempt !== undefined
      },
    },
    checks: bizumChecks,
  }
}
