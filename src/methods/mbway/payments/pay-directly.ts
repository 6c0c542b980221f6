// A payment asked of a phone without a checkout: opened as PENDING with its attempt, told by callback.
import { claimOf, type IdempotencyKey, type Made, madeWithClaim } from '../../../idempotency/index.ts'
import { newId, randomId } from '../../../kernel/random.ts'
import { deny, ok, type Result, refuse, unwrap } from '../../../kernel/result.ts'
import type { Caller } from '../../../kernel/values/permissions.ts'
import type { CustomerEngine } from '../../../operations/for-methods.ts'
import { admitPayment, insertOperations, pathOf } from '../../../operations/for-movements.ts'
import {
  askedSplit,
  clientOf,
  itemsOf,
  type NewOperation,
  openedOperation,
  operationOnWire,
} from '../../../operations/index.ts'
import { type Wallet, whyWithout } from '../../../wallets/index.ts'
import type { MbwayDeps } from '../deps.ts'
import { mbway } from '../facts.ts'
import { registered } from '../mandates/changes/create.ts'
import { findMandate } from '../mandates/changes/move.ts'
import type { Mandate } from '../mandates/model.ts'
import type { PhoneDetails } from './attempts.ts'
import { type DirectPaymentBody, type DirectPaymentDraft, readDirectPayment } from './schemas.ts'
import { type MandateChoice, startMobilePayment } from './start.ts'

export interface DirectPaymentRequest {
  readonly wallet: Wallet
  readonly body: DirectPaymentBody
  readonly key: IdempotencyKey | undefined
  readonly caller: Caller
  /** Whether the caller may take money without the customer being asked. */
  readonly mayUseMandates: boolean
}

/** The payer on the phone, and whether a mandate may answer for them. */
interface PayerOnPhone {
  readonly phone: string
  readonly mandate: MandateChoice
}

/**
 * Opens the payment and answers PENDING, whatever the network says meanwhile. Undefined when the idempotency key
 * was used before.
 *
 * Refusals: those of the body and its split; access_denied without the method or, for mandate_id, the permission;
 * rail_unavailable while the network does not say whose number it is; not_found and illegal_state for the mandate;
 * period_total_reached when it does not allow the amount this month; limit_reached.
 */
export async function payDirectly(
  deps: MbwayDeps,
  engine: CustomerEngine<PhoneDetails>,
  request: DirectPaymentRequest,
): Promise<Made | undefined> {
  const { wallet, body, key } = request
  const draft = unwrap(readDirectPayment(body, deps.mode, wallet.stores))
  if (!wallet.methods.includes(mbway.code)) return deny('access_denied', whyWithout(wallet, mbway.code))
  const split = unwrap(
    await askedSplit(deps.wallets.findByPublicId, {
      value: body.split,
      field: 'split',
      amount: draft.amount,
      wallet,
      caller: request.caller,
      prices: [mbway.code],
    }),
  )
  const { phone, mandate } = unwrap(await payerOnPhone(deps, request, draft))
  const now = deps.clock.now()
  const id = newId(now, deps.random)
  const operation: NewOperation = {
    ...draft.merchantReferences,
    id,
    walletId: wallet.id,
    type: draft.type,
    status: 'PENDING',
    method: mbway.code,
    amount: draft.amount,
    currency: 'EUR',
    channel: 'API',
    store: draft.store,
    items: itemsOf(body.items),
    client: { phone, ...clientOf(body.client) },
    phone,
    callbackUrl: draft.callbackUrl,
    split,
    instant: body.instant || undefined,
    attemptId: id,
    underApproval: true,
    createdAt: now,
  }
  const answer = JSON.stringify(operationOnWire(openedOperation(operation), wallet))
  const claim = claimOf(key, { resourceId: id, href: pathOf(id), body: answer })
  const started = await startMobilePayment(deps, engine, {
    key: id,
    walletId: wallet.id,
    operationId: id,
    owner: 'direct',
    pageToken: randomId(deps.random),
    merchantName: wallet.name,
    phone,
    amount: draft.amount,
    currency: 'EUR',
    type: draft.type,
    mandate,
    async open(tx) {
      const [opened = false] = await insertOperations(tx, [{ operation, claim }])
      const payment = { operationId: id, amount: draft.amount, field: 'amount' }
      if (opened) unwrap(await admitPayment(deps, wallet, payment, tx))
      return opened
    },
  })
  return madeWithClaim(started !== undefined, answer)
}

async function payerOnPhone(
  deps: MbwayDeps,
  { wallet, mayUseMandates }: DirectPaymentRequest,
  { payer }: DirectPaymentDraft,
): Promise<Result<PayerOnPhone>> {
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
