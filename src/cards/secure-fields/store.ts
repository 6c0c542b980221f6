// The SQL of secure form fields: keys, and which encrypted cards were used.
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import { type Executor, statement } from '../../storage/index.ts'
import type { CardUse, PublicJwk, SecureFieldKey } from './model.ts'

interface KeyRow {
  readonly day_number: bigint
  readonly kid: string
  readonly public_key: PublicJwk
  readonly sealed_private: Uint8Array
  readonly created_at: Instant
  readonly not_after: Instant
}

function keyOf(row: KeyRow): SecureFieldKey {
  return {
    dayNumber: row.day_number,
    kid: row.kid,
    publicKey: row.public_key,
    sealedPrivate: row.sealed_private,
    createdAt: row.created_at,
    notAfter: row.not_after,
  }
}

const insertKeyRow = statement(`
  insert into secure_field_keys (day_number, kid, public_key, sealed_private, created_at, not_after)
  values ($1, $2, $3::jsonb, $4, $5, $6)
  on conflict (day_number) do nothing`)

/** Writes the key of a day, unless another process was quicker. */
export async function insertKey(db: Executor, key: SecureFieldKey): Promise<void> {
  await db.run(insertKeyRow, [
    key.dayNumber,
    key.kid,
    JSON.stringify(key.publicKey),
    Buffer.from(key.sealedPrivate),
    toTimestamp(key.createdAt),
    toTimestamp(key.notAfter),
  ])
}

const selectAcceptedKeys = statement<KeyRow>(`
  select * from secure_field_keys where not_after > $1 order by day_number desc`)

/** Keys whose cards are accepted at `now`, the newest first. */
export async function findAcceptedKeys(db: Executor, now: Instant): Promise<SecureFieldKey[]> {
  return (await db.run(selectAcceptedKeys, [toTimestamp(now)])).map(keyOf)
}

const selectKey = statement<KeyRow>('select * from secure_field_keys where kid = $1 and not_after > $2')

/** The key of that name, if its cards are accepted at `now`. */
export async function findKey(db: Executor, kid: string, now: Instant): Promise<SecureFieldKey | undefined> {
  const [row] = await db.run(selectKey, [kid, toTimestamp(now)])
  return row === undefined ? undefined : keyOf(row)
}

const deleteKeys = statement<{ kid: string }>(`
  delete from secure_field_keys where not_after <= $1 returning kid`)

/** Destroys keys that open nothing any more (PCI DSS 3.7.5); answers how many. */
export async function destroyKeys(db: Executor, now: Instant): Promise<number> {
  return (await db.run(deleteKeys, [toTimestamp(now)])).length
}

const insertUse = statement<{ set_id: string }>(`
  insert into secure_field_uses (wallet_id, session_id, set_id, used_at, forget_at)
  values ($1, $2, $3, $4, $5)
  on conflict (wallet_id, session_id, set_id) do nothing
  returning set_id`)

/** Records a use; false when there was one already. */
export async function recordUse(db: Executor, use: CardUse, forgetAt: Instant): Promise<boolean> {
  const { walletId, sessionId, setId, usedAt } = use
  const parameters = [walletId, sessionId, setId, toTimestamp(usedAt), toTimestamp(forgetAt)]
  return (await db.run(insertUse, parameters)).length === 1
}

const selectUse = statement<{ set_id: string }>(`
  select set_id from secure_field_uses where wallet_id = $1 and session_id = $2 and set_id = $3`)

/** Whether the card was used already. */
export async function wasUsed(db: Executor, { walletId, sessionId, setId }: CardUse): Promise<boolean> {
  return (await db.run(selectUse, [walletId, sessionId, setId])).length > 0
}

const deleteUses = statement<{ set_id: string }>(`
  delete from secure_field_uses where forget_at <= $1 returning set_id`)

/** Forgets uses of cards that are too old to be used again; answers how many. */
export async function forgetUses(db: Executor, now: Instant): Promise<number> {
  return (await db.run(deleteUses, [toTimestamp(now)])).length
}
