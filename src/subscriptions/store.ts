// The SQL of subscriptions: opening, reading, listing.
import { type RawBuilder, sql } from 'kysely'
import type { CardSummary } from '../kernel/card-summary.ts'
import type { Cents } from '../kernel/money.ts'
import { type Instant, toTimestamp } from '../kernel/time.ts'
import type { Client } from '../operations/index.ts'
import {
  type Database,
  type Executor,
  lookup,
  type PageOfList,
  selectPage,
  statement,
} from '../storage/index.ts'
import type {
  NewSubscription,
  Period,
  Subscription,
  SubscriptionMethod,
  SubscriptionStatus,
} from './model.ts'
import { endsAt } from './rules.ts'

/** A row of `subscriptions` as the drivers bring it. */
export interface SubscriptionRow {
  id: string
  wallet_id: bigint
  status: SubscriptionStatus
  amount: bigint
  currency: 'EUR'
  frequency: number
  period: Period
  start_date: string
  end_date: string | null
  ext_subscriptionid: string | null
  description: string | null
  client: Client | null
  checkout_id: string | null
  operation_id: string | null
  method: SubscriptionMethod | null
  attempt_id: string | null
  under_approval: boolean
  card_token: string | null
  card: CardSummary | null
  mandate_id: string | null
  consumer_id: bigint | null
  asked_end_date: string | null
  cycle: number
  cycle_charged: bigint
  error: string | null
  created_at: Instant
  modified_at: Instant
}

export function subscriptionOf(row: SubscriptionRow): Subscription {
  return {
    id: row.id,
    walletId: row.wallet_id,
    status: row.status,
    amount: row.amount as Cents,
    currency: row.currency,
    frequency: row.frequency,
    period: row.period,
    startDate: row.start_date,
    endDate: row.end_date ?? undefined,
    extSubscriptionId: row.ext_subscriptionid ?? undefined,
    description: row.description ?? undefined,
    client: row.client ?? undefined,
    checkoutId: row.checkout_id ?? undefined,
    operationId: row.operation_id ?? undefined,
    method: row.method ?? undefined,
    attemptId: row.attempt_id ?? undefined,
    underApproval: row.under_approval,
    card: row.card === null ? undefined : { ...row.card, ...tokenOf(row) },
    mandateId: row.mandate_id ?? undefined,
    consumerId: row.consumer_id ?? undefined,
    askedEndDate: row.asked_end_date ?? undefined,
    cycle: row.cycle,
    cycleCharged: row.cycle_charged as Cents,
    error: row.error ?? undefined,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
  }
}

function tokenOf({ card_token: token }: SubscriptionRow): { token?: string } {
  return token === null ? {} : { token: token.toUpperCase() }
}

/** A subscription that was just opened: {@link NewSubscription} with what reads of it show. */
export function openedSubscription(subscription: NewSubscription): Subscription {
  return {
    ...subscription,
    status: 'NEW',
    askedEndDate: subscription.endDate,
    underApproval: false,
    cycle: 0,
    cycleCharged: 0n as Cents,
    modifiedAt: subscription.createdAt,
  }
}

const insertRow = statement(`
  insert into subscriptions (
    id, wallet_id, status, amount, currency, frequency, period, start_date, end_date, ends_at,
    ext_subscriptionid, description, client, checkout_id, operation_id, created_at, modified_at, asked_end_date
  ) values ($1, $2, 'NEW', $3, $4, $5, $6, $7, $8, $9, $10, $11, $12::jsonb, $13, $14, $15, $15, $8)`)

/** Writes a subscription that nobody has accepted yet. */
export async function insertSubscription(db: Executor, subscription: NewSubscription): Promise<void> {
  const { client, endDate } = subscription
  await db.run(insertRow, [
    subscription.id,
    subscription.walletId,
    subscription.amount,
    subscription.currency,
    subscription.frequency,
    subscription.period,
    subscription.startDate,
    endDate ?? null,
    endsAtText(endDate),
    subscription.extSubscriptionId ?? null,
    subscription.description ?? null,
    client === undefined ? null : JSON.stringify(client),
    subscription.checkoutId ?? null,
    subscription.operationId ?? null,
    toTimestamp(subscription.createdAt),
  ])
}

/** {@link endsAt} as the database reads it. */
export function endsAtText(endDate: string | undefined): string | null {
  const moment = endsAt(endDate)
  return moment === undefined ? null : toTimestamp(moment)
}

const subscriptionByKey = lookup<SubscriptionRow>({
  key: { wallet_id: 'bigint', id: 'uuid' },
  sql: 'select * from subscriptions where wallet_id = wanted.wallet_id and id = wanted.id',
})

/** The wallet's subscription, if it has one with that id. */
export async function findSubscription(
  db: Executor,
  walletId: bigint,
  id: string,
): Promise<Subscription | undefined> {
  const row = await db.find(subscriptionByKey, [walletId, id])
  return row === undefined ? undefined : subscriptionOf(row)
}

const selectForCustomer = statement<SubscriptionRow>('select * from subscriptions where id = $1')

/** The subscription as its customer sees it, who has a signed link and knows no wallet. */
export async function findSubscriptionForCustomer(
  db: Executor,
  id: string,
): Promise<Subscription | undefined> {
  const [row] = await db.run(selectForCustomer, [id])
  return row === undefined ? undefined : subscriptionOf(row)
}

/** What a list may be narrowed by; a field left out narrows nothing. */
export interface SubscriptionFilter {
  readonly from?: Instant | undefined
  /** Exclusive. */
  readonly until?: Instant | undefined
}

/** The wallet's subscriptions that match, newest first, with the count of all that match. */
export async function listSubscriptions(
  database: Database,
  walletId: bigint,
  filter: SubscriptionFilter,
  page: PageOfList,
): Promise<{ readonly total: number; readonly subscriptions: readonly Subscription[] }> {
  const conditions = conditionsOf(walletId, filter)
  const { total, rows } = await selectPage<SubscriptionRow>(database, 'subscriptions', conditions, page)
  return { total, subscriptions: rows.map(subscriptionOf) }
}

function conditionsOf(walletId: bigint, filter: SubscriptionFilter): RawBuilder<unknown>[] {
  const conditions = [sql`wallet_id = ${walletId}`]
  if (filter.from !== undefined) conditions.push(sql`created_at >= ${toTimestamp(filter.from)}`)
  if (filter.until !== undefined) conditions.push(sql`created_at < ${toTimestamp(filter.until)}`)
  return conditions
}
