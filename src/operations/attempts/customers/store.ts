// The SQL of customers' attempts.
import { type Instant, toTimestamp } from '../../../kernel/time.ts'
import type { Method } from '../../../methods/list.ts'
import {
  type Executor,
  hasRows,
  lookup,
  type StoredRowOf,
  statement,
  storeFunction,
} from '../../../storage/index.ts'
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

export const attemptColumns = newAttempts.types

export function attemptRow(
  attempt: CustomerAttempt,
  dueAt: Instant,
): Record<keyof typeof attemptColumns, unknown> {
  return newAttempts.write({ ...attempt, dueAt })
}

export function openAttemptsSql(source: string): string {
  return `insert into attempts (${newAttempts.list()}) select ${newAttempts.list()} from ${source}`
}

/** Ends earlier open attempts, whose late outcome must not count. $17 is `modifiedAt` of the new one. */
/** Abandons earlier open attempts too. Returns false if its page posted before. Lock the operation first. */
export const insertAttempt = hasRows((attempt: CustomerAttempt, dueAt: Instant) =>
  newAttempts.values({ ...attempt, dueAt }),
)`
  with abandoned as (
    update attempts set state = 'ABANDONED', sealed_card = null, due_at = null, ended_at = $17, modified_at = $17
    where wallet_id = $1 and operation_id = $2 and id <> $3 and owner is not null and state = 'OPEN'
  )
  insert into attempts (${newAttempts.list()}) values (${newAttempts.placeholders()})
  on conflict (wallet_id, operation_id, method, page_token) where owner is not null do nothing
  returning id`

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

/** Found by key alone, because notices of rails name no wallet. */
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

/** Found without a wallet: the browser that returns from the issuer knows only this id. */
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

/** Found without a wallet: the browser knows only the id of the operation or card. */
export async function findAttemptOfCardApi<Details>(
  db: Executor,
  method: Method,
  operationId: string,
): Promise<CustomerAttempt<Details> | undefined> {
  const row = await db.find(latestOfCardApi, [operationId])
  return ofMethod(row && attempts.read(row), method)
}

export const countAttempts = storeFunction(
  (method: Method, walletId: bigint, operationId: string) => [walletId, operationId, method],
  ([row]: { attempts: bigint }[]) => Number(row?.attempts ?? 0),
)`
  select count(*) as attempts from attempts
  where wallet_id = $1 and operation_id = $2 and method = $3 and owner is not null`

function stepOf(details: unknown): string | null {
  const step = (details as { readonly step?: unknown } | null)?.step
  return typeof step === 'string' ? step : null
}

const moveToStep = statement<{ id: string }>(`
  update attempts set details = details || $3::jsonb, due_at = $5, tries = 0, modified_at = $6
  where wallet_id = $1 and id = $2 and state = 'OPEN' and details ->> 'step' is not distinct from $4
  returning id`)

/** Moves an OPEN attempt to its method's next `step`. Returns undefined if it had left the step already. */
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

/** Returns false if the detail is absent or the attempt has ended. */
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

/** Returns undefined if the attempt is over. */
export async function markWithdrawn<Details>(
  db: Executor,
  method: Method,
  walletId: bigint,
  key: string,
  now: Instant,
): Promise<CustomerAttempt<Details> | undefined> {
  return ofMethod(attempts.first(await db.run(setWithdrawn, [walletId, key, toTimestamp(now)])), method)
}

export const recordAsked = hasRows(({ walletId, key }: CustomerAttempt, now: Instant, dueAt: Instant) => [
  walletId,
  key,
  toTimestamp(now),
  toTimestamp(dueAt),
])`
  update attempts set state = 'ASKED', tries = 0, due_at = $4, modified_at = $3
  where wallet_id = $1 and id = $2 and state = 'OPEN'
  returning id`

const renew = statement<{ id: string }>(`
  update attempts set due_at = $4, tries = 0
  where wallet_id = $1 and id = $2 and state = 'ASKED' and withdrawn_at is null
    and (expires_at is null or expires_at > $3) and ($5::integer is null or tries < $5)
  returning id`)

/** Renews the lease before a delayed call. Returns false if the attempt is over or given up. */
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

/** `dueAt` undefined: the rail is never asked again. */
export async function postponeInquiry(
  db: Executor,
  { walletId, key, state }: CustomerAttempt,
  dueAt: Instant | undefined,
): Promise<void> {
  await db.run(postpone, [walletId, key, state, dueAt === undefined ? null : toTimestamp(dueAt)])
}

const keepReturned = statement<{ id: string }>(`
  update attempts set due_at = $3 where wallet_id = $1 and id = $2 and state = 'RETURNED' and due_at is not null
  returning id`)

/** Moves an APPROVED attempt to RETURNED, or claims a RETURNED one. Returns false if nothing is left. */
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
  readonly dueAt?: Instant | undefined
}

const finish = statement<{ id: string }>(`
  update attempts set
    state = $4, failure = coalesce($5, case when $4 <> 'APPROVED' then failure end),
    reference = coalesce($6, reference), sealed_card = null, due_at = $7, ended_at = $8, modified_at = $8
  where wallet_id = $1 and id = $2 and state = any($3::text[])
    and (state <> 'OPEN' or details ->> 'step' is not distinct from $9)
  returning id`)

/** Ends an attempt and deletes its card. Returns false if another process ended it or changed its state. */
export async function finishAttempt(
  db: Executor,
  { walletId, key, state: from, details }: CustomerAttempt,
  { state, failure, reference, dueAt }: AttemptEnd,
  now: Instant,
): Promise<boolean> {
  // An attempt that was given up can still be approved: an earlier request may arrive late.
  const states = state === 'APPROVED' ? ['ASKED', 'GIVEN_UP'] : [from]
  const due = dueAt === undefined ? null : toTimestamp(dueAt)
  const answer = [failure ?? null, reference ?? null]
  const parameters = [walletId, key, states, state, ...answer, due, toTimestamp(now), stepOf(details)]
  return (await db.run(finish, parameters)).length === 1
}
