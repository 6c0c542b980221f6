// Accepting a charge with its allowance, in one statement.
import { type Created, claimOf, createdWithClaim, type IdempotencyKey } from '../../idempotency/index.ts'
import { crashPoint } from '../../kernel/crash-points.ts'
import type { Cents } from '../../kernel/money.ts'
import { newId } from '../../kernel/random.ts'
import { deny, unwrap } from '../../kernel/result.ts'
import { type Client, type PaymentItem, withinLimits } from '../../operations/index.ts'
import { batched } from '../../storage/index.ts'
import type { SubscriptionsDeps } from '../deps.ts'
import type { NewCharge, Subscription } from '../model.ts'
import { findSubscription } from '../store.ts'
import { mayCharge } from './allowance-rules.ts'
import { type Acceptance, type AcceptedCharge, acceptCharges } from './charges-store.ts'

export interface ChargeDraft {
  readonly amount: Cents
  readonly extInvoiceId: string | undefined
  readonly items: readonly PaymentItem[] | undefined
  readonly client: Client | undefined
}

export interface ChargeRequest {
  readonly subscription: Subscription
  readonly draft: ChargeDraft
  readonly key: IdempotencyKey | undefined
  /** The text of the answer. */
  answer(charge: NewCharge): string
}

/**
 * Undefined when the key was used before. Refusals: those of {@link mayCharge}, period_total_reached by the
 * method, limit_reached, service_unavailable after too many races.
 */
export type AcceptCharge = (request: ChargeRequest) => Promise<Created | undefined>

/** A concurrent charge may use the rest; a retry is rarely needed twice. */
const decisionsMax = 20

/** Concurrent charges of different subscriptions share a statement. */
export function createAcceptCharge(deps: SubscriptionsDeps): AcceptCharge {
  const { database, clock, random, wallets, methods } = deps
  const write = batched<AcceptedCharge, Acceptance>({
    database,
    aggregateOf: ({ charge }) => charge.subscriptionId,
    write: (rows) => acceptCharges(database, rows),
  })

  return async ({ subscription, draft, key, answer }) => {
    const now = clock.now()
    const charge: NewCharge = {
      ...draft,
      id: newId(now, random),
      walletId: subscription.walletId,
      subscriptionId: subscription.id,
      operationId: newId(now, random),
      currency: subscription.currency,
      createdAt: now,
    }
    const body = answer(charge)
    const href = `/api/v2/subscriptions/${charge.subscriptionId}/charge/${charge.id}`
    const claim = claimOf(key, { resourceId: charge.id, href, body })
    const wallet = await wallets.get(charge.walletId)
    unwrap(
      await withinLimits({ database, clock }, wallet, { amount: charge.amount, field: 'payment.amount' }),
    )
    const allowed = await methods.of(subscription.method)?.recurring?.allows?.(subscription, charge.amount)
    if (allowed !== undefined) unwrap(allowed)
    let current: Subscription | undefined = subscription
    for (let decisions = 0; decisions < decisionsMax && current !== undefined; decisions++) {
      const { day, cycle } = unwrap(mayCharge(current, charge.amount, clock.now()))
      const accepted = await write({ charge, cycle: cycle.index, day, claim })
      crashPoint('charge accepted, answer not sent')
      if (accepted !== 'refused') return createdWithClaim(accepted === 'accepted', body)
      current = await findSubscription(database, subscription.walletId, subscription.id)
    }
    return deny('service_unavailable', 'too many charges of this subscription at once: try again')
  }
}
