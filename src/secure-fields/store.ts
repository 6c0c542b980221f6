// SQL of keys and used cards.
import { type Instant, toTimestamp } from '../kernel/time.ts'
import { createWorker, type Executor, type StoredRowOf, statement, type Worker } from '../storage/index.ts'
import type { SecureFieldsDeps } from './deps.ts'
import { type CardUse, type SecureFieldKey, secureFieldKeys, secureFieldUses } from './model.ts'

type KeyRow = StoredRowOf<typeof secureFieldKeys>

const insertKeyRow = statement(`
  insert into secure_field_keys (${secureFieldKeys.list()}) values (${secureFieldKeys.placeholders()})
  on conflict (day_number) do nothing`)

export async function insertKey(db: Executor, key: SecureFieldKey): Promise<void> {
  await db.run(insertKeyRow, secureFieldKeys.values(key))
}

const selectAcceptedKeys = statement<KeyRow>(`
  select * from secure_field_keys where not_after > $1 order by day_number desc`)

export async function findAcceptedKeys(db: Executor, now: Instant): Promise<SecureFieldKey[]> {
  return (await db.run(selectAcceptedKeys, [toTimestamp(now)])).map(secureFieldKeys.read)
}

const selectKey = statement<KeyRow>('select * from secure_field_keys where kid = $1 and not_after > $2')

export async function findKey(db: Executor, kid: string, now: Instant): Promise<SecureFieldKey | undefined> {
  return secureFieldKeys.first(await db.run(selectKey, [kid, toTimestamp(now)]))
}

const deleteKeys = statement<{ kid: string }>(`
  delete from secure_field_keys where not_after <= $1 returning kid`)

/** PCI DSS 3.7.5. Returns the number. */
async function destroyKeys(db: Executor, now: Instant): Promise<number> {
  return (await db.run(deleteKeys, [toTimestamp(now)])).length
}

const newUses = secureFieldUses.whole

const insertUse = statement<{ set_id: string }>(`
  insert into secure_field_uses (${newUses.list()}) values (${newUses.placeholders()})
  on conflict (wallet_id, session_id, set_id) do nothing
  returning set_id`)

export async function recordUse(db: Executor, use: CardUse, forgetAt: Instant): Promise<boolean> {
  return (await db.run(insertUse, newUses.values({ ...use, forgetAt }))).length === 1
}

const selectUse = statement<{ set_id: string }>(`
  select set_id from secure_field_uses where wallet_id = $1 and session_id = $2 and set_id = $3`)

export async function wasUsed(db: Executor, { walletId, sessionId, setId }: CardUse): Promise<boolean> {
  return (await db.run(selectUse, [walletId, sessionId, setId])).length > 0
}

const deleteUses = statement<{ set_id: string }>(`
  delete from secure_field_uses where forget_at <= $1 returning set_id`)

async function forgetUses(db: Executor, now: Instant): Promise<number> {
  return (await db.run(deleteUses, [toTimestamp(now)])).length
}

const pollMs = 60_000

export function createCleaner({ database, clock, onError }: SecureFieldsDeps): Worker {
  return createWorker<number>({
    name: 'secure fields',
    database,
    pollMs,
    concurrency: 1,
    claim: async () => {
      const now = clock.now()
      const cleared = (await destroyKeys(database, now)) + (await forgetUses(database, now))
      return cleared > 0 ? [cleared] : []
    },
    work: async () => {},
    onError,
  })
}
