// The SQL of customers' attempts: written with what they are about, handed to their rail, ended once.

import { type Instant, toTimestamp } from '../../../kernel/time.ts'
import type { Method } from '../../../methods/list.ts'
import { type Executor, lookup, type StoredRowOf, statement } from '../../../storage/index.ts'
import { type Attempt, attempts, type CustomerAttempt } from '../model.ts'

type AttemptRow = StoredRowOf<typeof attempts>

const newAttempts = attempts.whole.pick(
  'walletId',
  'operationId',
  'key',
  'type',
  'method',
  'state',
  'owner',
  'pageToken',
  'amount',
  'currency',
  'merchantName',
  'details',
  'expiresAt',
  'sealedCard',
  'threeDsId',
  'createdAt',
  'modifiedAt',
  'dueAt',
)

/** Columns of the row set that {@link openAttemptsSql} reads. */
export const attemptColumns = newAttempts.types

/** The values of {@link attemptColumns}. */
export function attemptRow(
  attempt: CustomerAttempt,
  dueAt: Instant,
): Record<keyof typeof attemptColumns, unknown> {
  return newAttempts.write({ ...attempt, dueAt })
}

/** Inserts the attempts of `source`, which has {@link attemptColumns}: with what they are for, in its statement. */
export function openAttemptsSql(source: string): string {
  return `insert into attempts (${newAttempts.list()}) select ${newAttempts.list()} from ${source}`
}

/**
 * Those before it about which no rail was asked are over: their late outcome must count for nothing. $17 is
 * `modifiedAt` of the new one.
 */
const insertAttemptRow = statement<{ id: string }>(`
  with abandoned as (
    update attempts set state = 'ABANDONED', sealed_card = null, due_at = null, ended_at = $17, modified_at = $17
    where wallet_id = $1 and operation_id = $2 and id <> $3 and owner is not null and state = 'OPEN'
  )
  insert into attempts (${newAttempts.list()}) values (${newAttempts.placeholders()})
  on conflict (wallet_id, operation_id, method, page_token) where owner is not null do nothing
  returning id`)

/**
 * Writes an attempt, to be looked at by `dueAt`, and ends those before it that the customer was deciding about; false
 * when its page has posted one before. Called with the operation locked.
 */
export async function insertAttempt(
  tx: Executor,
  attempt: CustomerAttempt,
  dueAt: Instant,
): Promise<boolean> {
  return (await tx.run(insertAttemptRow, newAttempts.values({ ...attempt, dueAt }))).length === 1
}

/** The attempt as one of `method`; undefined where it is one of another. */
function ofMethod<Details>(
  attempt: Attempt | undefined,
  method: Method,
): CustomerAttempt<Details> | undefined {
  return attempt?.owner === undefined || attempt.method !== method
    ? undefined
    : (attempt as CustomerAttempt<Details>)
}

const attemptByKey = lookup<AttemptRow>({
  key: { wallet_id: 'bigint', id: 'uuid' },
  sql: 'select * from attempts where wallet_id = wanted.wallet_id and id = wanted.id',
})

/** The wallet's attempt by `method`, if it has one under that key. */
export async function findAttempt<Details>(
  db: Executor,
  method: Method,
  walletId: bigint,
  key: string,
): Promise<CustomerAttempt<Details> | undefined> {
  const row = await db.find(attemptByKey, [walletId, key])
  return ofMethod(row && attempts.read(row), method)
}

const selectByKey = statement<AttemptRow>('select * from attempts where id = $1 and owner is not null')

/** The attempt by `method` of a key, which notices of its rail name without a merchant. */
export async function findAttemptByKey<Details>(
  db: Executor,
  method: Method,
  key: string,
): Promise<CustomerAttempt<Details> | undefined> {
  return ofMethod(attempts.first(await db.run(selectByKey, [key])), method)
}

const selectByPageToken = statement<AttemptRow>(`
  select * from attempts
  where wallet_id = $1 and operation_id = $2 and method = $3 and page_token = $4 and owner is not null`)

/** The attempt by `method` that a page has started already. */
export async function findAttemptByPageToken<Details>(
  db: Executor,
  method: Method,
  walletId: bigint,
  operationId: string,
  pageToken: string,
): Promise<CustomerAttempt<Details> | undefined> {
  return ofMethod(
    attempts.first(await db.run(selectByPageToken, [walletId, operationId, method, pageToken])),
    method,
  )
}

const attemptByThreeDsId = lookup<AttemptRow>({
  key: { three_ds_id: 'uuid' },
  sql: 'select * from attempts where three_ds_id = wanted.three_ds_id',
})

/** Found without a wallet: the browser that returns from the issuer knows only this id, and learns nothing. */
export async function findAttemptByThreeDsId<Details>(
  db: Executor,
  method: Method,
  threeDsId: string,
): Promise<CustomerAttempt<Details> | undefined> {
  const row = await db.find(attemptByThreeDsId, [threeDsId])
  return ofMethod(row && attempts.read(row), method)
}

const latestOfCardApi = lookup<AttemptRow>({
  key: { operation_id: 'uuid' },
  sql: `
    select * from attempts
    where operation_id = wanted.operation_id and owner in ('card_api', 'card_store') order by id desc`,
})

/**
 * The latest attempt that the card API started about an operation, or a card to be stored. Found without a wallet: a
 * customer's browser knows only that id.
 */
export async function findAttemptOfCardApi<Details>(
  db: Executor,
  method: Method,
  operationId: string,
): Promise<CustomerAttempt<Details> | undefined> {
  const row = await db.find(latestOfCardApi, [operationId])
  return ofMethod(row && attempts.read(row), method)
}

const selectCount = statement<{ attempts: bigint }>(`
  select count(*) as attempts from attempts
  where wallet_id = $1 and operation_id = $2 and method = $3 and owner is not null`)

/** How often a customer tried to pay one operation by `method`. */
export async function countAttempts(
  db: Executor,
  method: Method,
  walletId: bigint,
  operationId: string,
): Promise<number> {
  const [row] = await db.run(selectCount, [walletId, operationId, method])
  return Number(row?.attempts ?? 0)
}

/** What the customer of an OPEN attempt is to do next, where its method has several steps: the member `step`. */
function stepOf(details: unknown): string | null {
  const step = (details as { readonly step?: unknown } | null)?.step
  return typeof step === 'string' ? step : null
}

const moveToStep = statement<{ id: string }>(`
  update attempts set details = details || $3::jsonb, due_at = $5, tries = 0, modified_at = $6
  where wallet_id = $1 and id = $2 and state = 'OPEN' and details ->> 'step' is not distinct from $4
  returning id`)

/**
 * Moves an OPEN attempt to the next of its method's own steps, to be looked at by `dueAt`.
 *
 * @param details with the new `step`, and what is known since
 * @returns the attempt as it is now; undefined, and nothing is written, where it was not at the step of `attempt` any more
 */
export async function recordStep<Details>(
  db: Executor,
  attempt: CustomerAttempt<Details>,
  details: Partial<Details>,
  now: Instant,
  dueAt: Instant,
): Promise<CustomerAttempt<Details> | undefined> {
  const { walletId, key } = attempt
  const step = stepOf(attempt.details)
  const times = [toTimestamp(dueAt), toTimestamp(now)]
  const moved = await db.run(moveToStep, [walletId, key, JSON.stringify(details), step, ...times])
  return moved.length === 1 ? { ...attempt, details: { ...attempt.details, ...details } } : undefined
}

const mergeDetails = statement(`
  update attempts set details = details || $3::jsonb where wallet_id = $1 and id = $2 and state = $4`)

/** Adds to the details of an attempt; nothing where it has moved on. */
export async function addDetails<Details>(
  db: Executor,
  { walletId, key, state }: CustomerAttempt<Details>,
  details: Partial<Details>,
): Promise<void> {
  await db.run(mergeDetails, [walletId, key, JSON.stringify(details), state])
}

const dropDetail = statement<{ id: string }>(`
  update attempts set details = details - $3::text
  where wallet_id = $1 and id = $2 and state = 'ASKED' and details -> $3::text is not null
  returning id`)

/** Removes one of the details of an attempt that is ASKED; false when it has not got it, or has ended. */
export async function removeDetail<Details>(
  db: Executor,
  { walletId, key }: CustomerAttempt<Details>,
  name: keyof Details & string,
): Promise<boolean> {
  return (await db.run(dropDetail, [walletId, key, name])).length === 1
}

const setWithdrawn = statement<AttemptRow>(`
  update attempts set withdrawn_at = coalesce(withdrawn_at, $3), modified_at = $3
  where wallet_id = $1 and id = $2 and state = 'ASKED' and owner is not null
  returning *`)

/** The customer takes an attempt back that is ASKED; undefined when it is over. */
export async function markWithdrawn<Details>(
  db: Executor,
  method: Method,
  walletId: bigint,
  key: string,
  now: Instant,
): Promise<CustomerAttempt<Details> | undefined> {
  return ofMethod(attempts.first(await db.run(setWithdrawn, [walletId, key, toTimestamp(now)])), method)
}

const markAsked = statement<{ id: string }>(`
  update attempts set state = 'ASKED', tries = 0, due_at = $4, modified_at = $3
  where wallet_id = $1 and id = $2 and state = 'OPEN'
  returning id`)

/** OPEN becomes ASKED; false when it was not open any more. */
export async function recordAsked(
  tx: Executor,
  { walletId, key }: CustomerAttempt,
  now: Instant,
  dueAt: Instant,
): Promise<boolean> {
  return (await tx.run(markAsked, [walletId, key, toTimestamp(now), toTimestamp(dueAt)])).length === 1
}

const renew = statement<{ id: string }>(`
  update attempts set due_at = $4, tries = 0
  where wallet_id = $1 and id = $2 and state = 'ASKED' and withdrawn_at is null
    and (expires_at is null or expires_at > $3) and ($5::integer is null or tries < $5)
  returning id`)

/**
 * Has the resolver look first at `dueAt` at an attempt whose call to the rail was held up; false when the attempt is
 * over, taken back or out of time, or the resolver has asked `inquiriesMax` times and decides.
 */
export async function renewCall(
  db: Executor,
  { walletId, key }: CustomerAttempt,
  now: Instant,
  dueAt: Instant,
  inquiriesMax: number | undefined,
): Promise<boolean> {
  const parameters = [walletId, key, toTimestamp(now), toTimestamp(dueAt), inquiriesMax ?? null]
  return (await db.run(renew, parameters)).length === 1
}

const postpone = statement(`
  update attempts set due_at = $4 where wallet_id = $1 and id = $2 and state = $3 and due_at is not null`)

/** Looks at it again at `dueAt`, or never where that is undefined; nothing where it has moved on. */
export async function postponeLook(
  db: Executor,
  { walletId, key, state }: CustomerAttempt,
  dueAt: Instant | undefined,
): Promise<void> {
  await db.run(postpone, [walletId, key, state, dueAt === undefined ? null : toTimestamp(dueAt)])
}

const keepReturned = statement<{ id: string }>(`
  update attempts set due_at = $3 where wallet_id = $1 and id = $2 and state = 'RETURNED' and due_at is not null
  returning id`)

/**
 * Writes down that an attempt which was APPROVED is RETURNED, or takes up one that is, and is to be looked at again at
 * `dueAt`; false when nothing is left to be done about it, or somebody else has written that down meanwhile.
 */
export async function takeReturned(
  tx: Executor,
  attempt: CustomerAttempt,
  failure: string,
  now: Instant,
  dueAt: Instant,
): Promise<boolean> {
  const { walletId, key, state } = attempt
  if (state !== 'RETURNED') return finishAttempt(tx, attempt, { state: 'RETURNED', failure, dueAt }, now)
  return (await tx.run(keepReturned, [walletId, key, toTimestamp(dueAt)])).length === 1
}

export interface AttemptEnd {
  readonly state: 'APPROVED' | 'DECLINED' | 'ABANDONED' | 'RETURNED'
  readonly failure?: string | undefined
  readonly reference?: string | undefined
  /** When the rail is asked whether it stays approved, or what follows from a return is done. */
  readonly dueAt?: Instant | undefined
}

const finish = statement<{ id: string }>(`
  update attempts set
    state = $4, failure = coalesce($5, case when $4 <> 'APPROVED' then failure end),
    reference = coalesce($6, reference), sealed_card = null, due_at = $7, ended_at = $8, modified_at = $8
  where wallet_id = $1 and id = $2 and state = any($3::text[])
    and (state <> 'OPEN' or details ->> 'step' is not distinct from $9)
  returning id`)

/** Ends an attempt, and forgets its card; false when it has ended, or gone on, before. */
export async function finishAttempt(
  db: Executor,
  { walletId, key, state: from, details }: CustomerAttempt,
  { state, failure, reference, dueAt }: AttemptEnd,
  now: Instant,
): Promise<boolean> {
  // What was given up may be approved all the same by who asked the rail before.
  const states = state === 'APPROVED' ? ['ASKED', 'GIVEN_UP'] : [from]
  const due = dueAt === undefined ? null : toTimestamp(dueAt)
  const answer = [failure ?? null, reference ?? null]
  const parameters = [walletId, key, states, state, ...answer, due, toTimestamp(now), stepOf(details)]
  return (await db.run(finish, parameters)).length === 1
}
