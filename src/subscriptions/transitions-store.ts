// The SQL of a subscription's transitions, each with its guard.

import type { Day } from '../kernel/lisbon.ts'
import { type Instant, toTimestamp } from '../kernel/time.ts'
import type { CardSummary } from '../kernel/values/card-numbers.ts'
import type { Method } from '../methods/list.ts'
import type { Client } from '../operations/index.ts'
import { type Executor, execute, findAll, findFirst, hasRows, statement } from '../storage/index.ts'
import { type Subscription, type SubscriptionStatus, subscriptions } from './model.ts'
import { endsAtText, type SubscriptionRow } from './store.ts'

/** One attempt of a customer to accept a subscription. */
export interface AcceptanceReference {
  readonly walletId: bigint
  readonly subscriptionId: string
  readonly attemptId: string
}

/** Returns false if the subscription is decided or under approval. */
export const chooseAcceptance = hasRows(
  ({ walletId, subscriptionId, attemptId }: AcceptanceReference, method: Method, now: Instant) => [
    walletId,
    subscriptionId,
    attemptId,
    method,
    toTimestamp(now),
  ],
)`
  update subscriptions set method = $4, attempt_id = $3, modified_at = $5
  where wallet_id = $1 and id = $2 and status = 'NEW' and not under_approval
  returning id`

/** Returns false if the attempt was replaced or the subscription is decided. */
export const beginAcceptance = hasRows(
  ({ walletId, subscriptionId, attemptId }: AcceptanceReference, now: Instant) => [
    walletId,
    subscriptionId,
    attemptId,
    toTimestamp(now),
  ],
)`
  update subscriptions set under_approval = true, modified_at = $4
  where wallet_id = $1 and id = $2 and attempt_id = $3 and status = 'NEW' and not under_approval
  returning id`

/** Ends the approval after a decline, so that the customer can try again. */
export const endAcceptance = hasRows(
  ({ walletId, subscriptionId, attemptId }: AcceptanceReference, now: Instant) => [
    walletId,
    subscriptionId,
    attemptId,
    toTimestamp(now),
  ],
)`
  update subscriptions set under_approval = false, modified_at = $4
  where wallet_id = $1 and id = $2 and attempt_id = $3 and under_approval
  returning id`

/** The card for charges and its last day. */
export interface Credential {
  readonly method: Method
  readonly card: CardSummary
  readonly cardToken: string
  readonly endDate: Day | undefined
}

/** Returns false if the subscription is decided. */
export const keepCredential = hasRows(
  (
    { walletId, id }: Pick<Subscription, 'walletId' | 'id'>,
    { method, card, cardToken, endDate }: Credential,
    now: Instant,
  ) => [
    walletId,
    id,
    cardToken,
    JSON.stringify(card),
    endDate ?? null,
    endsAtText(endDate),
    toTimestamp(now),
    method,
  ],
)`
  update subscriptions set
    method = $8, card_token = $3, card = $4::jsonb, end_date = $5, ends_at = $6, modified_at = $7
  where wallet_id = $1 and id = $2 and status = 'NEW'
  returning id`

/** Locks it until the transaction ends. Returns false if it is decided. */
export const lockUndecided = hasRows(({ walletId, id }: Pick<Subscription, 'walletId' | 'id'>) => [
  walletId,
  id,
])`
  select id from subscriptions where wallet_id = $1 and id = $2 and status = 'NEW' for update`

const approveRow = statement<SubscriptionRow>(`
  update subscriptions set status = 'APPROVED', under_approval = false, modified_at = $4
  where wallet_id = $1 and id = $2 and status = 'NEW' and under_approval and attempt_id = $3
  returning *`)

/** Returns undefined if it was decided before. */
export async function approveAcceptance(
  db: Executor,
  { walletId, subscriptionId, attemptId }: AcceptanceReference,
  now: Instant,
): Promise<Subscription | undefined> {
  return subscriptions.first(
    await db.run(approveRow, [walletId, subscriptionId, attemptId, toTimestamp(now)]),
  )
}

export interface Move {
  readonly from: readonly SubscriptionStatus[]
  readonly to: SubscriptionStatus
  readonly error?: string
  /** Moves it only if the customer has not chosen a method. */
  readonly onlyUnchosen?: boolean
  /** Moves it even under approval. The rail's answer then comes too late. */
  readonly alsoUnderApproval?: boolean
}

/** Returns undefined in another status or under approval. If it has a first payment, only that moves it. */
export const moveSubscription = findFirst(
  subscriptions,
  (
    { walletId, id }: Pick<Subscription, 'walletId' | 'id'>,
    { from, to, error, onlyUnchosen = false, alsoUnderApproval = false }: Move,
    now: Instant,
  ) => [walletId, id, [...from], to, error ?? null, toTimestamp(now), onlyUnchosen, alsoUnderApproval],
)`
  update subscriptions set status = $4, error = $5, under_approval = false, modified_at = $6
  where wallet_id = $1 and id = $2 and status = any($3::text[]) and (not under_approval or $8)
    and (operation_id is null or status <> 'NEW') and (not $7 or method is null)
  returning *`

export const voidChargedWith = findAll(subscriptions, (walletId: bigint, cardToken: string, now: Instant) => [
  walletId,
  cardToken,
  toTimestamp(now),
])`
  update subscriptions set status = 'VOIDED', error = 'card_deleted', modified_at = $3
  where wallet_id = $1 and card_token = $2 and status = 'APPROVED'
  returning *`

export const expireEnded = findAll(subscriptions, (now: Instant, limit: number) => [toTimestamp(now), limit])`
  update subscriptions set status = 'EXPIRED', modified_at = $1
  where (wallet_id, id) in (
    select wallet_id, id from subscriptions
    where status = 'APPROVED' and ends_at <= $1
    order by ends_at limit $2 for update skip locked
  )
  returning *`

/** Changes nothing if the subscription is decided. */
export const addSubscriberData = execute(
  ({ walletId, id }: Pick<Subscription, 'walletId' | 'id'>, client: Client, now: Instant) => [
    walletId,
    id,
    JSON.stringify(client),
    toTimestamp(now),
  ],
)`
  update subscriptions set client = coalesce(client, '{}'::jsonb) || $3::jsonb, modified_at = $4
  where wallet_id = $1 and id = $2 and status = 'NEW' and not under_approval`
