// The SQL of API keys.
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import { column, type Executor, type RowOf, type StoredRowOf, statement } from '../../storage/index.ts'
import { type ApiKey, apiKeys, wallets } from '../model.ts'

const keyPart = apiKeys.whole.pick('walletId', 'digest', 'permissions')
const keyRecords = keyPart
  .with(wallets.pick('rights', 'suspendedAt').fields)
  .with({ revoked: column.boolean() })

export type KeyRecord = RowOf<typeof keyRecords>

const selectKey = statement<StoredRowOf<typeof keyRecords>>(`
  select ${keyPart.list('api_keys')}, rights, suspended_at, revoked_at is not null as revoked
  from api_keys join wallets on wallets.id = api_keys.wallet_id
  where api_keys.id = $1`)

export async function findKey(db: Executor, keyId: string): Promise<KeyRecord | undefined> {
  return keyRecords.first(await db.run(selectKey, [keyId]))
}

const insertKeyRow = statement(`
  insert into api_keys (id, wallet_id, digest, permissions, created_at, name)
  select $1, id, $3, $4::text[], $5, $6 from wallets where id = $2 and kind = 'merchant'
  returning id`)

export async function insertKey(
  db: Executor,
  walletId: bigint,
  key: Pick<ApiKey, 'id' | 'permissions' | 'name'> & { digest: Uint8Array; now: Instant },
): Promise<boolean> {
  const rows = await db.run(insertKeyRow, [
    key.id,
    walletId,
    key.digest,
    key.permissions,
    toTimestamp(key.now),
    key.name,
  ])
  return rows.length === 1
}

const updateKeyRevoked = statement<{ wallet_id: bigint }>(`
  update api_keys set revoked_at = coalesce(revoked_at, greatest($2, created_at))
  where id = $1 and ($3::bigint is null or wallet_id = $3)
  returning wallet_id`)

/** Revokes a key of the wallet, or of any wallet if null. Returns its wallet; undefined if there is no such key. */
export async function markKeyRevoked(
  db: Executor,
  keyId: string,
  walletId: bigint | null,
  now: Instant,
): Promise<bigint | undefined> {
  const [row] = await db.run(updateKeyRevoked, [keyId, toTimestamp(now), walletId])
  return row?.wallet_id
}

const updateLastUsed = statement(`
  update api_keys set last_used_on = $2
  where id = any($1::text[]) and (last_used_on is null or last_used_on < $2)`)

export async function writeKeyUses(db: Executor, keyIds: readonly string[], now: Instant): Promise<void> {
  await db.run(updateLastUsed, [keyIds, toTimestamp(now).slice(0, 10)])
}

const selectKeys = statement<StoredRowOf<typeof apiKeys>>(`
  select ${apiKeys.list()} from api_keys
  where $1::bigint is null or wallet_id = $1
  order by wallet_id, created_at, id`)

/** Keys of one wallet, or of all wallets if null. */
export async function listKeys(db: Executor, walletId: bigint | null): Promise<ApiKey[]> {
  return (await db.run(selectKeys, [walletId])).map(apiKeys.read)
}
