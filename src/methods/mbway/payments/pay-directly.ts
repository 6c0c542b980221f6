// Payment by phone without a checkout.

import { type Static, Type } from 'typebox'
import { described, phoneSchema, readAs, textSchema } from '../../../http/index.ts'
import { type Created, createdWithClaim } from '../../../idempotency/index.ts'
import { isUuid, randomId } from '../../../kernel/random.ts'
import { deny, ok, type Result, refuse, unwrap } from '../../../kernel/result.ts'
import { parsePhone } from '../../../kernel/values/phones.ts'
import type { CustomerEngine } from '../../../operations/for-methods.ts'
import { operationExample } from '../../../operations/index.ts'
import type { AskedDirectly, DirectPayments } from '../../direct.ts'
import type { MbwayDeps } from '../deps.ts'
import { mbway } from '../facts.ts'
import { registered } from '../mandates/changes/create.ts'
import { findMandate } from '../mandates/changes/move.ts'
import type { Mandate } from '../mandates/model.ts'
import type { PhoneDetails } from './attempts.ts'
import { type MandateChoice, startMobilePayment } from './start.ts'

interface PayerOnPhone {
  readonly phone: string
  readonly mandate: MandateChoice
}

export function directByPhone(deps: MbwayDeps, engine: CustomerEngine<PhoneDetails>): DirectPayments {
  return {
    fields: payerFields,
    described:
      'Asks the customer on the phone and answers PENDING. The customer has 4 minutes to approve; a callback reports the result. Under a mandate the customer is not asked. More than 3 open requests per phone and merchant are refused with 10029. A number that is not registered with the mobile wallet is refused with 10002.',
    bodyDescribed: 'A payment by MB WAY. Send exactly one of `mbway.phone` and `mandate_id`.',
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

async function payDirectly(
  deps: MbwayDeps,
  engine: CustomerEngine<PhoneDetails>,
  asked: AskedDirectly,
  payer: Payer,
): Promise<Created | undefined> {
  const { wallet, type, amount } = asked
  if (type === 'AUTH' && deps.mobileWallet.lacks?.(wallet.id).includes('holds'))
    return deny('access_denied', 'the wallet’s provider of MBWAY has no authorizations: send type PAYMENT')
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
      'mandate_id must be a ONECLICK mandate; charge a SUBSCRIPTION mandate by its subscription',
    )
  if (mandate.state !== 'ACTIVE')
    return refuse('illegal_state', `mandate_id must be an ACTIVE mandate; this one is ${mandate.state}`)
  return ok(mandate)
}

const mandateId = Type.Optional(
  described(
    textSchema(40, { minLength: 1, ...readAs('word') }),
    'Id of an ACTIVE mandate, instead of the phone: the customer is not asked. Requires the permission `mandates`.',
    { format: 'uuid' },
  ),
)
const whom = { phone: Type.Optional(phoneSchema), mandate_id: mandateId }

const payerFields = {
  mbway: Type.Optional(
    Type.Object(whom, {
      title: 'MobileWalletPayer',
      description: 'Payer: phone number or mandate.',
      default: {},
    }),
  ),
  mandate_id: mandateId,
}

const payerBody = Type.Object(payerFields)

export type Payer =
  | { readonly kind: 'phone'; readonly phone: string }
  | { readonly kind: 'mandate'; readonly mandateId: string }

function payerOf({ mbway, mandate_id: outer }: Static<typeof payerBody>): Result<Payer> {
  const phone = mbway?.phone || undefined
  const mandateId = outer || mbway?.mandate_id || undefined
  if (phone !== undefined && mandateId !== undefined)
    return refuse('invalid_parameter', 'send exactly one of mbway.phone and mandate_id')
  if (mandateId !== undefined)
    return isUuid(mandateId)
      ? ok({ kind: 'mandate', mandateId: mandateId.toLowerCase() })
      : refuse('invalid_parameter', 'mandate_id must be a UUID')
  if (phone === undefined) return refuse('missing_parameter', 'mbway.phone or mandate_id is required')
  const parsed = parsePhone(phone, 'mbway.phone')
  return parsed.ok ? ok({ kind: 'phone', phone: parsed.value }) : parsed
}
