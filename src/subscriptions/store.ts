// The SQL of subscriptions: opening, reading, listing.
import { type RawBuilder, sql } from 'kysely'
import { idOf } from '../http/index.ts'
import type { Cents } from '../kernel/money.ts'
import { deny, unwrap } from '../kernel/result.ts'
import { type Instant, toTimestamp } from '../kernel/time.ts'
import {
  type Database,
  type Executor,
  findFirst,
  lookup,
  type PageOfList,
  type StoredRowOf,
  selectPage,
  statement,
} from '../storage/index.ts'
import { insertAutoCharge } from './auto/store.ts'
import type { SubscriptionsDeps } from './deps.ts'
import { type NewSubscription, type Subscription, subscriptions } from './model.ts'
import { endsAt } from './rules.ts'

export type SubscriptionRow = StoredRowOf<typeof subscriptions>

export function openedSubscription({ autoCharge, ...subscription }: NewSubscription): Subscription {
  return {
    ...subscription,
    autoCharged: autoCharge !== undefined,
    status: 'NEW',
    askedEndDate: subscription.endDate,
    underApproval: false,
    cycle: 0,
    cycleCharged: 0n as Cents,
    modifiedAt: subscription.createdAt,
  }
}

const newSubscriptions = subscriptions.whole.pick(
  'id',
  'walletId',
  'status',
  'amount',
  'currency',
  'frequency',
  'period',
  'startDate',
  'endDate',
  'endsAt',
  'extSubscriptionId',
  'description',
  'client',
  'checkoutId',
  'operationId',
  'createdAt',
  'modifiedAt',
  'askedEndDate',
  'autoCharged',
)

const insertRow = statement(
  `insert into subscriptions (${newSubscriptions.list()}) values (${newSubscriptions.placeholders()})`,
)

export async function insertSubscription(db: Executor, subscription: NewSubscription): Promise<void> {
  const opened = openedSubscription(subscription)
  await db.run(insertRow, newSubscriptions.values({ ...opened, endsAt: endsAt(opened.endDate) }))
  const { autoCharge, walletId, id: subscriptionId, createdAt } = subscription
  if (autoCharge === undefined) return
  const schedule = { walletId, subscriptionId, status: 'NEW', nextCycle: 0, dueAt: undefined } as const
  await insertAutoCharge(db, { ...autoCharge, ...schedule }, createdAt)
}

export function endsAtText(endDate: string | undefined): string | null {
  const moment = endsAt(endDate)
  return moment === undefined ? null : toTimestamp(moment)
}

const subscriptionByKey = lookup<SubscriptionRow>({
  key: { wallet_id: 'bigint', id: 'uuid' },
  sql: 'select * from subscriptions where wallet_id = wanted.wallet_id and id = wanted.id',
})

export async function findSubscription(
  db: Executor,
  walletId: bigint,
  id: string,
): Promise<Subscription | undefined> {
  const row = await db.find(subscriptionByKey, [walletId, id])
  return row && subscriptions.read(row)
}

/** Finds it without a wallet, for a customer with a signed link. */
export const findSubscriptionForCustomer = findFirst(subscriptions, (id: string) => [id])`
  select * from subscriptions where id = $1`

export interface SubscriptionFilter {
  readonly from?: Instant | undefined
  readonly until?: Instant | undefined
}

/** A page of subscriptions, newest first, with the number of all matches. */
export async function listSubscriptions(
  database: Database,
  walletId: bigint,
  filter: SubscriptionFilter,
  page: PageOfList,
): Promise<{ readonly total: number; readonly subscriptions: readonly Subscription[] }> {
  const conditions = conditionsOf(walletId, filter)
  const { total, rows } = await selectPage(database, subscriptions, conditions, page)
  return { total, subscriptions: rows }
}

function conditionsOf(walletId: bigint, filter: SubscriptionFilter): RawBuilder<unknown>[] {
  const conditions = [sql`wallet_id = ${walletId}`]
  if (filter.from !== undefined) conditions.push(sql`created_at >= ${toTimestamp(filter.from)}`)
  if (filter.until !== undefined) conditions.push(sql`created_at < ${toTimestamp(filter.until)}`)
  return conditions
}

export async function subscriptionOfPath(
  { database }: Pick<SubscriptionsDeps, 'database'>,
  walletId: bigint,
  text: string,
): Promise<Subscription> {
  const id = unwrap(idOf(text, 'subscription'))
  const subscription = await findSubscription(database, walletId, id)
  return subscription ?? deny('not_found', `subscription ${id} does not exist`)
}
