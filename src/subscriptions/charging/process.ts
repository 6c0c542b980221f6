// Processing a charge: opens its payment and asks the rail.

import { eventColumns, eventRow, type NewEvent, recordEventsSql } from '../../callbacks/index.ts'
import { newId } from '../../kernel/random.ts'
import { after, day, type Instant, toTimestamp } from '../../kernel/time.ts'
import { storedCardMethods } from '../../methods/list.ts'
import {
  admitPayment,
  type ChargeAsked,
  type OpenedOperation,
  underApproval,
} from '../../operations/for-movements.ts'
import {
  type ChargeHandler,
  type NewOperation,
  type Operation,
  openedOperation,
  openOperationsSql,
  operationColumns,
  operationRow,
} from '../../operations/index.ts'
import {
  batched,
  claimDueSql,
  type Executor,
  hasRows,
  rowSet,
  type StoredRowOf,
  statement,
} from '../../storage/index.ts'
import type { Wallet } from '../../wallets/index.ts'
import { withoutLostRetry } from '../auto/store.ts'
import type { SubscriptionsDeps } from '../deps.ts'
import { type ChargeEventWord, chargeEvent } from '../events.ts'
import { type Charge, charges, type Subscription, subscriptions } from '../model.ts'
import { whyStopped } from '../rules.ts'
import { freeAllowancesSql } from '../settlement.ts'
import { findSubscription, type SubscriptionRow } from '../store.ts'
import { type ChargeOrder, chargingRailOf } from './rails.ts'

/** A charge waits while an operator changes providers. After a day it fails, so the merchant knows. */
const waitsForRailMs = day

/** The acquirer's own form cannot charge stored cards, so they have no rail there. */
function isWithoutRail({ unserved, cardsAtAcquirer }: Wallet, { method }: Subscription): boolean {
  if (method === undefined) return true
  return (
    unserved?.includes(method) === true || (cardsAtAcquirer === true && storedCardMethods.includes(method))
  )
}

export type ProcessCharge = (claimed: ClaimedCharge) => Promise<void>

/** After a crash another process claims the charge again, unless its payment is open. */
export function createProcessCharge(deps: SubscriptionsDeps): ProcessCharge {
  const { database, clock, random, wallets, engine, methods } = deps
  const open = batched<OpenedOperation, boolean>({
    database,
    write: (operations) => openChargePayments(database, operations),
  })

  async function eventOf(
    { charge, subscription }: ClaimedCharge,
    event: ChargeEventWord,
    error: string | undefined,
  ) {
    const at = clock.now()
    const wallet = await wallets.get(charge.walletId)
    const told = event === 'FAIL' ? await withoutLostRetry(database, charge) : charge
    return chargeEvent(told, subscription, { id: newId(at, random), wallet, event, at, error })
  }

  async function fail(claimed: ClaimedCharge, error: string): Promise<void> {
    const event = await eventOf(claimed, 'FAIL', error)
    if (await failUnopenedCharge(database, claimed.charge, { error, event, at: clock.now() })) {
      deps.callbacks.wake()
    }
  }

  return async (claimed) => {
    const { charge, subscription, claimedAt: since } = claimed
    const rail = chargingRailOf(methods, subscription)
    const blockedReason = whyStopped(subscription.status) ?? (await rail.blockedReason(subscription))
    if (blockedReason !== undefined) return fail(claimed, blockedReason)
    const wallet = await wallets.get(charge.walletId)
    if (isWithoutRail(wallet, subscription)) {
      // The charge waits: its lease expires, and it is tried again.
      if (clock.now() < after(charge.createdAt, waitsForRailMs)) return
      return fail(claimed, 'method_not_served')
    }
    const { amount, operationId } = charge
    const admitted = await admitPayment(deps, wallet, { amount, operationId, field: 'payment.amount' })
    if (!admitted.ok) return fail(claimed, admitted.refusal.kind)
    const phone = await rail.phoneOf?.(subscription)
    const payment = underApproval({ ...paymentOf(charge, subscription), phone }, since)
    if (!(await open(payment))) return
    const order = await orderOf(deps, subscription, openedOperation(payment))
    const asked: ChargeAsked = {
      since,
      extraEvents: async (status, error) => [
        await eventOf(claimed, status === 'COMPLETED' ? 'SUCCESS' : 'FAIL', error),
      ],
    }
    const decided = await engine.decide(
      payment,
      async (beforeSend) => {
        const answer = await rail.charge(order, beforeSend)
        if (answer.kind === 'blocked') return { kind: 'declined', reason: answer.reason }
        return answer.kind === 'settled' ? { kind: 'unknown' } : answer
      },
      asked,
    )
    // Another process ended the charge during the call, so the new reservation must be released.
    if (decided.operation.status === 'FAIL') await rail.givenUp?.(order)
  }
}

/** The functions by which the engine continues unanswered charges. */
export function createChargeHandler(
  deps: Pick<SubscriptionsDeps, 'database' | 'wallets' | 'methods'>,
): ChargeHandler {
  async function chargeOf(payment: Operation) {
    const { walletId, subscriptionId } = payment
    const subscription =
      subscriptionId === undefined
        ? undefined
        : await findSubscription(deps.database, walletId, subscriptionId)
    if (subscription === undefined) throw new Error(`charge ${payment.id} has no subscription`)
    const rail = chargingRailOf(deps.methods, subscription)
    return { subscription, rail, order: await orderOf(deps, subscription, payment) }
  }

  return {
    async inquire(payment) {
      const { rail, order } = await chargeOf(payment)
      return rail.inquire(order)
    },
    async send(payment, beforeSend) {
      const { subscription, rail, order } = await chargeOf(payment)
      const reason = whyStopped(subscription.status)
      if (reason !== undefined) return { kind: 'stopped', reason }
      const answer = await rail.charge(order, beforeSend)
      if (answer.kind === 'blocked') return { kind: 'stopped', reason: answer.reason }
      return answer.kind === 'settled' ? { kind: 'unknown' } : answer
    },
    async givenUp(payment) {
      const { rail, order } = await chargeOf(payment)
      await rail.givenUp?.(order)
    },
  }
}

async function orderOf(
  { wallets }: Pick<SubscriptionsDeps, 'wallets'>,
  subscription: Subscription,
  operation: Operation,
): Promise<ChargeOrder> {
  const { name: merchantName } = await wallets.get(subscription.walletId)
  return { subscription, operation, merchantName }
}

/** The payment has the references of the charge and the card of the subscription. */
function paymentOf(charge: Charge, subscription: Subscription): NewOperation {
  const { card, cardToken: token } = subscription
  return {
    id: charge.operationId,
    walletId: charge.walletId,
    type: 'PAYMENT',
    status: 'PENDING',
    method: subscription.method,
    amount: charge.amount,
    currency: charge.currency,
    channel: 'API',
    subscriptionId: subscription.id,
    extInvoiceId: charge.extInvoiceId,
    items: charge.items,
    client: charge.client ?? subscription.client,
    card: card === undefined || token === undefined ? card : { ...card, token },
    createdAt: charge.createdAt,
  }
}

export interface ClaimedCharge {
  readonly charge: Charge
  readonly subscription: Subscription
  readonly claimedAt: Instant
}

const claimRows = statement<StoredRowOf<typeof charges>>(`
  ${claimDueSql('charges', "status = 'PROCESSING', modified_at = $1")}
  returning *`)

const subscriptionsOfCharges = statement<SubscriptionRow>(`
  select subscriptions.*
  from subscriptions
  join (select distinct * from unnest($1::bigint[], $2::uuid[])) as wanted (wallet_id, id)
    on wanted.wallet_id = subscriptions.wallet_id and wanted.id = subscriptions.id`)

export async function claimDueCharges(
  db: Executor,
  now: Instant,
  leasedUntil: Instant,
  limit: number,
): Promise<ClaimedCharge[]> {
  const rows = await db.run(claimRows, [toTimestamp(now), toTimestamp(leasedUntil), limit])
  if (rows.length === 0) return []
  const claimed = rows.map(charges.read)
  const wanted = [
    claimed.map(({ walletId }) => walletId),
    claimed.map(({ subscriptionId }) => subscriptionId),
  ]
  const found = (await db.run(subscriptionsOfCharges, wanted)).map(subscriptions.read)
  const byId = new Map(found.map((subscription) => [subscription.id, subscription]))
  return claimed.map((charge) => {
    const subscription = byId.get(charge.subscriptionId)
    if (subscription === undefined) throw new Error(`charge ${charge.id} has no subscription`)
    return { charge, subscription, claimedAt: now }
  })
}

const newPayments = rowSet(operationColumns)

/** Marks the charge as opened in the same statement, so that it cannot fail without its payment. */
const openPayments = statement<{ id: string }>(`
  with input as (${newPayments.source}),
  opening as (
    update charges set opened = true, due_at = null
    from input
    where charges.wallet_id = input.wallet_id and charges.operation_id = input.id
      and charges.status = 'PROCESSING' and not charges.opened
    returning input.*
  ),
  ${openOperationsSql('opening')}
  select id from opened_operations`)

/** Returns a result for each row, false if another process opened the payment. */
export async function openChargePayments(
  db: Executor,
  operations: readonly OpenedOperation[],
): Promise<boolean[]> {
  const opened = await db.run(openPayments, newPayments.parameters(operations.map(operationRow)))
  const ids = new Set(opened.map(({ id }) => id))
  return operations.map(({ id }) => ids.has(id))
}

const failures = rowSet({
  wallet_id: 'bigint',
  id: 'uuid',
  error: 'text',
  at: 'timestamptz',
  ...eventColumns,
})

/** Fails a charge and releases its amount. Returns false if another process continued the charge. */
export const failUnopenedCharge = hasRows(
  (
    { walletId, id }: Charge,
    { error, event, at }: { readonly error: string; readonly event: NewEvent; readonly at: Instant },
  ) => failures.parameters([{ wallet_id: walletId, id, error, at: toTimestamp(at), ...eventRow(event) }]),
)`
  with input as (${failures.source}),
  failed as (
    update charges set status = 'FAIL', error = input.error, due_at = null, modified_at = input.at
    from input
    where charges.wallet_id = input.wallet_id and charges.id = input.id
      and charges.status = 'PROCESSING' and not charges.opened
    returning input.*, charges.subscription_id, charges.cycle, charges.amount
  ),
  ${freeAllowancesSql('failed')},
  ${recordEventsSql('failed')}
  select id from failed`
