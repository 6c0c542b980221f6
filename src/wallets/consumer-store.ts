// The SQL of consumers and their PINs.
import { type Instant, toTimestamp } from '../kernel/time.ts'
import { column, type Executor, type RowOf, type StoredRowOf, statement } from '../storage/index.ts'
import { wallets } from './model.ts'

export interface NewConsumerRow {
  readonly publicId: string
  readonly email: string
  readonly phone: string | null
  readonly pinDigest: Uint8Array
  readonly now: Instant
}

const insertConsumerRow = statement<{ id: bigint }>(`
  insert into wallets (public_id, kind, name, email, phone, pin_digest, created_at, modified_at)
  values ($1, 'consumer', $2, $2, $3, $4, $5, $5)
  on conflict (lower(email)) where kind = 'consumer' do nothing
  returning id`)

export async function insertConsumer(tx: Executor, consumer: NewConsumerRow): Promise<bigint | undefined> {
  const { publicId, email, phone, pinDigest, now } = consumer
  const [row] = await tx.run(insertConsumerRow, [publicId, email, phone, pinDigest, toTimestamp(now)])
  return row?.id
}

const countPinTry = statement<{ id: bigint; pin_digest: Uint8Array; locked: boolean }>(`
  update wallets set
    pin_failures = case when locked_until is null then pin_failures + 1 else 1 end,
    locked_until = case when locked_until is null and pin_failures + 1 = 3 then $3::timestamptz end
  where lower(email) = lower($1) and kind = 'consumer' and (locked_until is null or locked_until <= $2)
  returning id, pin_digest, locked_until is not null as locked`)

export interface PinTry {
  readonly walletId: bigint
  readonly pinDigest: Uint8Array
  /** True if it was the third try, after which the wallet is locked until `lockEnd`. */
  readonly isLast: boolean
}

/** Counts a try at the PIN before the PIN is checked. Undefined if there is no such consumer or it is locked. */
export async function takePinTry(
  db: Executor,
  email: string,
  now: Instant,
  lockEnd: Instant,
): Promise<PinTry | undefined> {
  const [row] = await db.run(countPinTry, [email, toTimestamp(now), toTimestamp(lockEnd)])
  return row && { walletId: row.id, pinDigest: row.pin_digest, isLast: row.locked }
}

const selectLock = statement<{ locked_until: Instant }>(`
  select locked_until from wallets
  where lower(email) = lower($1) and kind = 'consumer' and locked_until > $2`)

export async function findPinLock(db: Executor, email: string, now: Instant): Promise<Instant | undefined> {
  const [row] = await db.run(selectLock, [email, toTimestamp(now)])
  return row?.locked_until
}

const countUnknownTry = statement<{ locked: boolean }>(`
  with forgotten as (
    delete from unknown_log_ins where email_digest in (
      select email_digest from unknown_log_ins where modified_at < $4 and email_digest <> $1
      order by modified_at limit 100
    )
  )
  insert into unknown_log_ins as known (email_digest, failures, modified_at) values ($1, 1, $2)
  on conflict (email_digest) do update set
    failures = case when known.locked_until is null then known.failures + 1 else 1 end,
    locked_until = case when known.locked_until is null and known.failures + 1 = 3 then $3::timestamptz end,
    modified_at = $2
  where known.locked_until is null or known.locked_until <= $2
  returning locked_until is not null as locked`)

/** Counts a try under an unknown e-mail, and deletes tries before `forgetBefore`. Undefined if it is locked. */
export async function takeUnknownTry(
  db: Executor,
  emailDigest: Uint8Array,
  { now, lockEnd, forgetBefore }: { now: Instant; lockEnd: Instant; forgetBefore: Instant },
): Promise<{ readonly isLast: boolean } | undefined> {
  const times = [now, lockEnd, forgetBefore].map(toTimestamp)
  const [row] = await db.run(countUnknownTry, [emailDigest, ...times])
  return row && { isLast: row.locked }
}

const selectUnknownLock = statement<{ locked_until: Instant }>(`
  select locked_until from unknown_log_ins where email_digest = $1 and locked_until > $2`)

export async function findUnknownLock(
  db: Executor,
  emailDigest: Uint8Array,
  now: Instant,
): Promise<Instant | undefined> {
  const [row] = await db.run(selectUnknownLock, [emailDigest, toTimestamp(now)])
  return row?.locked_until
}

const resetPinTries = statement(`
  update wallets set pin_failures = 0, locked_until = null where id = $1 and kind = 'consumer'`)

export async function forgetPinTries(db: Executor, walletId: bigint): Promise<void> {
  await db.run(resetPinTries, [walletId])
}

const updatePin = statement(`
  update wallets set pin_digest = $2, pin_failures = 0, locked_until = null, modified_at = $3
  where id = $1 and kind = 'consumer'`)

export async function writePin(
  tx: Executor,
  walletId: bigint,
  pinDigest: Uint8Array,
  now: Instant,
): Promise<void> {
  await tx.run(updatePin, [walletId, pinDigest, toTimestamp(now)])
}

const selectPinDigest = statement<{ pin_digest: Uint8Array }>(`
  select pin_digest from wallets where id = $1 and kind = 'consumer'`)

export async function findPinDigest(db: Executor, walletId: bigint): Promise<Uint8Array | undefined> {
  const [row] = await db.run(selectPinDigest, [walletId])
  return row?.pin_digest
}

const consumers = wallets.whole.pick('email', 'lockedUntil').with({ walletId: column.bigint().named('id') })

export type ConsumerRow = RowOf<typeof consumers>
type StoredConsumer = StoredRowOf<typeof consumers>

const selectByEmail = statement<StoredConsumer>(`
  select ${consumers.list()} from wallets where lower(email) = lower($1) and kind = 'consumer'`)

export async function findConsumer(db: Executor, email: string): Promise<ConsumerRow | undefined> {
  return consumers.first(await db.run(selectByEmail, [email]))
}

const selectConsumers = statement<StoredConsumer>(`
  select ${consumers.list()} from wallets where kind = 'consumer' order by id limit $1`)

export async function listConsumers(db: Executor, limit: number): Promise<ConsumerRow[]> {
  return (await db.run(selectConsumers, [limit])).map(consumers.read)
}
