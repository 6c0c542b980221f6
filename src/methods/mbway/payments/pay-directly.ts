// A payment asked of a phone without a checkout: opened as PENDING with its attempt, told by callback.
import { type Created, createdWithClaim } from '../../../idempotency/index.ts'
import { randomId } from '../../../kernel/random.ts'
import { ok, type Result, refuse, unwrap } from '../../../kernel/result.ts'
import type { CustomerEngine } from '../../../operations/for-methods.ts'
import { operationExample } from '../../../operations/index.ts'
import type { AskedDirectly, DirectPayments } from '../../direct.ts'
import type { MbwayDeps } from '../deps.ts'
import { mbway } from '../facts.ts'
import { registered } from '../mandates/changes/create.ts'
import { findMandate } from '../mandates/changes/move.ts'
import type { Mandate } from '../mandates/model.ts'
import type { PhoneDetails } from './attempts.ts'
import { type Payer, payerFields, payerOf } from './schemas.ts'
import { type MandateChoice, startMobilePayment } from './start.ts'

/** The payer on the phone, and whether a mandate may answer for them. */
interface PayerOnPhone {
  readonly phone: string
  readonly mandate: MandateChoice
}

export function directByPhone(deps: MbwayDeps, engine: CustomerEngine<PhoneDetails>): DirectPayments {
  return {
    fields: payerFields,
    described:
      'Answers PENDING; the customer has 4 minutes to approve, and a callback tells. Under a mandate nobody is asked. At most 3 questions are open per phone and merchant: 10029. A valid number that is not registered with the mobile wallet is refused with 10002.',
    bodyDescribed: 'With exactly one of `mbway.phone` and `mandate_id`.',
    examples: {
      request: {
        method: mbway.code,
        type: 'PAYMENT',
        amount: 10.5,
        currency: 'EUR',
        mbway: { phone: '+351911234567' },
        ext_invoiceid: '2026-0042',
      },
      answer: {
        ...operationExample,
        status: 'PENDING',
        method: mbway.code,
        amount_net: 10.34,
        fee: -0.16,
        refundable: false,
        channel: 'API',
        ext_invoiceid: '2026-0042',
        client: { phone: '+351911234567' },
        mbway: { phone: '+351911234567' },
      },
    },
    read(body) {
      const payer = payerOf(body)
      return payer.ok ? ok((asked) => payDirectly(deps, engine, asked, payer.value)) : payer
    },
  }
}

/**
 * Opens the payment and answers PENDING, whatever the network says meanwhile. Undefined when the idempotency key
 * was used before.
 *
 * Refusals: access_denied without the permission for mandate_id; rail_unavailable while the network does not say whose
 * number it is; not_found and illegal_state for the mandate; period_total_reached when it does not allow the amount
 * this month.
 */
async function payDirectly(
  deps: MbwayDeps,
  engine: CustomerEngine<PhoneDetails>,
  asked: AskedDirectly,
  payer: Payer,
): Promise<Created | undefined> {
  const { wallet, type, amount } = asked
  const { phone, mandate } = unwrap(await payerOnPhone(deps, asked, payer))
  const { id, answer, open } = asked.opening(phone, { phone })
  const started = await startMobilePayment(deps, engine, {
    ...{ key: id, walletId: wallet.id, operationId: id, owner: 'direct', pageToken: randomId(deps.random) },
    ...{ merchantName: wallet.name, phone, amount, currency: 'EUR', type, mandate, open },
  })
  return createdWithClaim(started !== undefined, answer)
}

async function payerOnPhone(
  deps: MbwayDeps,
  { wallet, caller: { permissions, rights } }: AskedDirectly,
  payer: Payer,
): Promise<Result<PayerOnPhone>> {
  /** Whether the caller may take money without the customer being asked. */
  const mayUseMandates = permissions.has('mandates') && rights.has('partner')
  if (payer.kind === 'phone') {
    const phone = await registered(deps.mobileWallet, payer.phone, 'mbway.phone')
    return phone.ok ? ok({ phone: phone.value, mandate: { kind: mayUseMandates ? 'any' : 'none' } }) : phone
  }
  if (!mayUseMandates)
    return refuse(
      'access_denied',
      'mandate_id needs the permission mandates, and the wallet the right partner',
    )
  const { mandateId } = payer
  const mandate = usable(await findMandate(deps, wallet.id, mandateId), mandateId)
  return mandate.ok ? ok({ phone: mandate.value.phone, mandate: { kind: 'named', mandateId } }) : mandate
}

function usable(mandate: Mandate | undefined, id: string): Result<Mandate> {
  if (mandate === undefined) return refuse('not_found', `there is no mandate ${id}`)
  if (mandate.type !== 'ONECLICK')
    return refuse(
      'invalid_parameter',
      'mandate_id must be of a ONECLICK mandate; the other kind is charged by its subscription',
    )
  if (mandate.state !== 'ACTIVE')
    return refuse('illegal_state', `mandate_id must be of an ACTIVE mandate; this one is ${mandate.state}`)
  return ok(mandate)
}
