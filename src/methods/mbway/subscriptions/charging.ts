// Charging under a mandate: the monthly limit is reserved first.
import { lisbonDayOf } from '../../../kernel/lisbon.ts'
import { type Cents, cents, decimalText } from '../../../kernel/money.ts'
import { ok, type Result, refuse } from '../../../kernel/result.ts'
import { after, minute } from '../../../kernel/time.ts'
import { holdApproval } from '../../../operations/for-methods.ts'
import { callRail, type RailAnswer, railTimeoutMs, type WalletPaymentAnswer } from '../../../rails/index.ts'
import {
  type ChargeOrder,
  type ChargingRail,
  type Recurring,
  type Subscription,
  waitingCharges,
} from '../../../subscriptions/index.ts'
import type { MbwayDeps } from '../deps.ts'
import { releaseAllowance, reserveAgain } from '../mandates/allowances-store.ts'
import { dropMandate } from '../mandates/changes/end.ts'
import { findMandate } from '../mandates/changes/move.ts'
import type { Mandate } from '../mandates/model.ts'

/** If the mandate has just changed, the network asks the customer. */
const askedMinutesMax = 4

export function mbwayRecurring(deps: MbwayDeps): Recurring {
  return {
    charge: createPhoneRail(deps),
    async allows(subscription, amount) {
      if (subscription.mandateId === undefined) return ok(undefined)
      const mandate = await mandateOf(deps, subscription)
      return withinMandate(mandate, await waitingCharges(deps.database, subscription), amount)
    },
    async drop({ walletId, mandateId, attemptId }) {
      const id = mandateId ?? attemptId
      const mandate = id === undefined ? undefined : await findMandate(deps, walletId, id)
      if (mandate !== undefined) await dropMandate(deps, mandate)
    },
  }
}

async function mandateOf(deps: MbwayDeps, { walletId, mandateId }: Subscription): Promise<Mandate> {
  const mandate = mandateId === undefined ? undefined : await findMandate(deps, walletId, mandateId)
  if (mandate === undefined) throw new Error(`mandate ${mandateId} of a subscription is gone`)
  return mandate
}

/** Blocked reasons: `mandate_suspended`, `mandate_voided`, `mandate_expired`. */
function createPhoneRail(deps: MbwayDeps): ChargingRail {
  const { database, clock, mobileWallet } = deps

  /** If the mandate did not pay, this first releases its allowance. After a crash both are repeated. */
  async function outcomeOf({ operation }: ChargeOrder, answer: Answer): Promise<RailAnswer> {
    const isUnpaid = answer.kind === 'declined' || (answer.kind === 'approved' && !answer.byMandate)
    if (isUnpaid) await releaseAllowance(database, operation.walletId, operation.id)
    return answerOf(answer)
  }

  return {
    async blockedReason(subscription) {
      return blockedReasonOf(await mandateOf(deps, subscription))
    },
    phoneOf: async (subscription) => (await mandateOf(deps, subscription)).phone,
    async charge(order, beforeSend) {
      const { subscription, operation, merchantName } = order
      const { walletId, id, amount } = operation
      const mandate = await mandateOf(deps, subscription)
      const blockedReason = blockedReasonOf(mandate)
      if (blockedReason !== undefined) return { kind: 'blocked', reason: blockedReason }
      const now = clock.now()
      const reservation = { walletId, mandateId: mandate.id, id, amount }
      const reserved = await database.transaction(async (tx) => {
        if (!(await holdApproval(tx, { walletId, operationId: id, attemptId: id }))) return undefined
        return reserveAgain(tx, reservation, lisbonDayOf(now), now)
      })
      if (reserved === undefined) return { kind: 'settled' }
      if (!reserved) return { kind: 'blocked', reason: 'mandate_limit' }
      const request = {
        key: id,
        merchant: { id: walletId, name: merchantName },
        phone: mandate.phone,
        amount,
        currency: operation.currency,
        intent: 'sale',
        expires: after(now, askedMinutesMax * minute),
        mandate: mandate.id,
      } as const
      const ask = (signal: AbortSignal) => mobileWallet.requestPayment(request, signal)
      const answer = await callRail(ask, railTimeoutMs, beforeSend)
      return outcomeOf(order, answer)
    },
    async inquire(order) {
      const answer = await callRail(() => mobileWallet.inquirePayment(order.operation.id))
      return outcomeOf(order, answer)
    },
    async givenUp({ operation }) {
      await releaseAllowance(database, operation.walletId, operation.id)
    },
  }
}

/** Also counts charges accepted but not started. If the mandate is not ACTIVE, the network decides. */
function withinMandate({ state, limit, used }: Mandate, waiting: Cents, amount: Cents): Result<undefined> {
  if (state !== 'ACTIVE') return ok(undefined)
  const left = limit - used - waiting
  if (amount <= left) return ok(undefined)
  return refuse(
    'period_total_reached',
    `payment.amount must be at most ${decimalText(cents(left > 0n ? left : 0n))}: the customer’s MB WAY limit for this month`,
  )
}

type Answer = WalletPaymentAnswer | { readonly kind: 'unknown' | 'not_found' }

function blockedReasonOf({ state }: Mandate): string | undefined {
  return state === 'ACTIVE' ? undefined : `mandate_${state.toLowerCase()}`
}

function answerOf(answer: Answer): RailAnswer {
  switch (answer.kind) {
    case 'declined':
      return {
        kind: 'declined',
        reason: answer.decline,
        mayArrive: answer.decline === 'withdrawn' || answer.mayArrive === true,
      }
    case 'waiting':
      return { kind: 'unknown' }
    default:
      return { kind: answer.kind }
  }
}
