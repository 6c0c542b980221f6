// The SQL of API keys.

import { type Instant, toTimestamp } from '../../kernel/time.ts'
import type { Permission } from '../../kernel/values/permissions.ts'
import { column, type Executor, type RowOf, type StoredRowOf, statement } from '../../storage/index.ts'
import { type ApiKey, apiKeys, wallets } from '../model.ts'

const keyPart = apiKeys.whole.pick('walletId', 'digest', 'permissions')
const keyRecords = keyPart.with(wallets.pick('rights').fields).with({ revoked: column.boolean() })

/** A key with its wallet's rights: all that authentication asks. */
export type KeyRecord = RowOf<typeof keyRecords>

const selectKey = statement<StoredRowOf<typeof keyRecords>>(`
  select ${keyPart.list('api_keys')}, rights, revoked_at is not null as revoked
  from api_keys join wallets on wallets.id = api_keys.wallet_id
  where api_keys.id = $1`)

export async function findKey(db: Executor, keyId: string): Promise<KeyRecord | undefined> {
  return keyRecords.first(await db.run(selectKey, [keyId]))
}

const insertKeyRow = statement(`
  insert into api_keys (id, wallet_id, digest, permissions, created_at)
  select $1, id, $3, $4::text[], $5 from wallets where id = $2 and kind = 'merchant'
  returning id`)

/** Writes a key of the merchant; false when there is no such merchant. */
export async function insertKey(
  db: Executor,
  walletId: bigint,
  key: { id: string; digest: Uint8Array; permissions: readonly Permission[]; now: Instant },
): Promise<boolean> {
  const rows = await db.run(insertKeyRow, [
    key.id,
    walletId,
    key.digest,
    key.permissions,
    toTimestamp(key.now),
  ])
  return rows.length === 1
}

const updateKeyRevoked = statement<{ wallet_id: bigint }>(`
  update api_keys set revoked_at = coalesce(revoked_at, greatest($2, created_at)) where id = $1 returning wallet_id`)

/** Revokes the key, once; returns whose it was, or undefined when there is none of that id. */
export async function markKeyRevoked(db: Executor, keyId: string, now: Instant): Promise<bigint | undefined> {
  const [row] = await db.run(updateKeyRevoked, [keyId, toTimestamp(now)])
  return row?.wallet_id
}

const selectKeys = statement<StoredRowOf<typeof apiKeys>>(`
  select ${apiKeys.list()} from api_keys
  where $1::bigint is null or wallet_id = $1
  order by wallet_id, created_at, id`)

/** Keys of one wallet, or of all for the operator, without their secrets. */
export async function listKeys(db: Executor, walletId: bigint | null): Promise<ApiKey[]> {
  return (await db.run(selectKeys, [walletId])).map(apiKeys.read)
}
