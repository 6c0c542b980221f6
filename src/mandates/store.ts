// The SQL of mandates: written with their idempotency key, moved from the version they were read in, read.
import { type Claim, claimParts } from '../idempotency/index.ts'
import type { Day } from '../kernel/lisbon.ts'
import type { Cents } from '../kernel/money.ts'
import { type Instant, toTimestamp } from '../kernel/time.ts'
import type { WantedMandate } from '../rails/index.ts'
import { claimDueSql, type Executor, lookup, rowSet, statement } from '../storage/index.ts'
import type { Mandate, MandateState, MandateType } from './model.ts'

/** A row of `mandates` with what was used in the month asked for. */
export interface MandateRow {
  id: string
  wallet_id: bigint
  type: MandateType
  state: MandateState
  phone: string
  client_name: string | null
  url_callback: string | null
  request_id: string | null
  subscription_id: string | null
  amount_limit: bigint
  used: bigint | null
  expiry_date: Day | null
  version: number
  asked_until: Instant
  inquiries: number
  awaits_payment: boolean
  withdrawn: boolean
  wanted_limit: bigint | null
  wanted_from: Day | null
  created_at: Instant
  modified_at: Instant
}

export function mandateOf(row: MandateRow): Mandate {
  return {
    id: row.id,
    walletId: row.wallet_id,
    type: row.type,
    state: row.state,
    phone: row.phone,
    clientName: row.client_name ?? undefined,
    urlCallback: row.url_callback ?? undefined,
    requestId: row.request_id ?? undefined,
    subscriptionId: row.subscription_id ?? undefined,
    limit: row.amount_limit as Cents,
    used: (row.used ?? 0n) as Cents,
    expiryDate: row.expiry_date ?? undefined,
    version: row.version,
    askedUntil: row.asked_until,
    inquiries: row.inquiries,
    awaitsPayment: row.awaits_payment,
    withdrawn: row.withdrawn,
    wanted: wantedOf(row),
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
  }
}

function wantedOf({ wanted_limit: limit, wanted_from: from }: MandateRow): WantedMandate | undefined {
  return limit === null || from === null ? undefined : { limit: limit as Cents, from }
}

const newMandates = rowSet({
  id: 'uuid',
  wallet_id: 'bigint',
  type: 'text',
  phone: 'text',
  client_name: 'text',
  url_callback: 'text',
  subscription_id: 'uuid',
  awaits_payment: 'boolean',
  wanted_limit: 'bigint',
  wanted_from: 'text',
  asked_until: 'timestamptz',
  due_at: 'timestamptz',
  created_at: 'timestamptz',
  ...claimParts.columns,
})

const insertMandates = statement<{ id: string }>(`
  with input as (${newMandates.source}),
  ${claimParts.sql('input')}
  insert into mandates (
    id, wallet_id, type, state, phone, client_name, url_callback, request_id, subscription_id, awaits_payment,
    wanted_limit, wanted_from, asked_until, created_at, modified_at, due_at
  )
  select id, wallet_id, type, 'REQUESTED', phone, client_name, url_callback, request_id, subscription_id,
    awaits_payment, wanted_limit, wanted_from, asked_until, created_at, created_at, due_at
  from admitted
  returning id`)

/** Writes a mandate to be approved; false when its idempotency key was used before. */
export async function insertMandate(
  db: Executor,
  mandate: Mandate,
  claim: Claim | undefined,
  dueAt: Instant,
): Promise<boolean> {
  const row = {
    id: mandate.id,
    wallet_id: mandate.walletId,
    type: mandate.type,
    phone: mandate.phone,
    client_name: mandate.clientName ?? null,
    url_callback: mandate.urlCallback ?? null,
    subscription_id: mandate.subscriptionId ?? null,
    awaits_payment: mandate.awaitsPayment,
    wanted_limit: mandate.wanted?.limit ?? null,
    wanted_from: mandate.wanted?.from ?? null,
    asked_until: toTimestamp(mandate.askedUntil),
    due_at: toTimestamp(dueAt),
    created_at: toTimestamp(mandate.createdAt),
    ...claimParts.row(claim),
  }
  return (await db.run(insertMandates, newMandates.parameters([row]))).length === 1
}

/** With what was used in `wanted.month`. */
const mandatesWithUse = `
  select mandates.*, mandate_allowances.used
  from mandates
  left join mandate_allowances on mandate_allowances.wallet_id = mandates.wallet_id
    and mandate_allowances.mandate_id = mandates.id and mandate_allowances.month = wanted.month`

const mandateByKey = lookup<MandateRow>({
  key: { wallet_id: 'bigint', id: 'uuid', month: 'text' },
  sql: `${mandatesWithUse} where mandates.wallet_id = wanted.wallet_id and mandates.id = wanted.id`,
})

/** The wallet's mandate, with what was used of it in `month` (`yyyy-mm`). */
export async function findMandateRow(
  db: Executor,
  walletId: bigint,
  id: string,
  month: string,
): Promise<Mandate | undefined> {
  const row = await db.find(mandateByKey, [walletId, id, month])
  return row === undefined ? undefined : mandateOf(row)
}

const mandateById = lookup<MandateRow>({
  key: { id: 'uuid', month: 'text' },
  sql: `${mandatesWithUse} where mandates.id = wanted.id`,
})

/** The mandate that the network calls `key`: it knows no wallets. */
export async function findMandateOfKey(
  db: Executor,
  key: string,
  month: string,
): Promise<Mandate | undefined> {
  const row = await db.find(mandateById, [key, month])
  return row === undefined ? undefined : mandateOf(row)
}

const moveMandate = statement<{ id: string }>(`
  update mandates set state = $5, amount_limit = $6, expiry_date = $7, version = $8, due_at = $9, inquiries = 0,
    modified_at = $10
  where wallet_id = $1 and id = $2 and state = $3 and version = $4
  returning id`)

const setFree = statement(`
  update mandates set awaits_payment = false, due_at = $3 where wallet_id = $1 and id = $2 and awaits_payment`)

/** The payment it was asked for with is settled: it is looked after by itself from now on. */
export async function freeMandate(db: Executor, { walletId, id }: Mandate, dueAt: Instant): Promise<void> {
  await db.run(setFree, [walletId, id, toTimestamp(dueAt)])
}

const setWithdrawn = statement(`
  update mandates set withdrawn = true where wallet_id = $1 and id = $2 and state = 'REQUESTED'`)

/** The network has taken the request back for the customer. */
export async function markWithdrawn(db: Executor, { walletId, id }: Mandate): Promise<void> {
  await db.run(setWithdrawn, [walletId, id])
}

/** Moves a mandate from exactly where it was read; false when something else moved it first. */
export async function recordMove(
  db: Executor,
  from: Mandate,
  to: Mandate,
  dueAt: Instant | undefined,
  now: Instant,
): Promise<boolean> {
  const moved = await db.run(moveMandate, [
    from.walletId,
    from.id,
    from.state,
    from.version,
    to.state,
    to.limit,
    to.expiryDate ?? null,
    to.version,
    dueAt === undefined ? null : toTimestamp(dueAt),
    toTimestamp(now),
  ])
  return moved.length === 1
}

const claimDue = statement<MandateRow>(`
  ${claimDueSql('mandates', 'inquiries = inquiries + 1')}
  returning mandates.*, null::bigint as used`)

/** Mandates to look after, leased until `leasedUntil`. What was used of them is not looked up: it reads as zero. */
export async function claimDueMandates(
  db: Executor,
  now: Instant,
  leasedUntil: Instant,
  limit: number,
): Promise<Mandate[]> {
  return (await db.run(claimDue, [toTimestamp(now), toTimestamp(leasedUntil), limit])).map(mandateOf)
}

const postpone = statement(`
  update mandates set due_at = $5
  where wallet_id = $1 and id = $2 and state = $3 and version = $4 and due_at is not null`)

/** Looks again at `dueAt`, or no more; nothing where the mandate was moved meanwhile. */
export async function postponeMandate(
  db: Executor,
  { walletId, id, state, version }: Mandate,
  dueAt: Instant | undefined,
): Promise<void> {
  await db.run(postpone, [walletId, id, state, version, dueAt === undefined ? null : toTimestamp(dueAt)])
}
