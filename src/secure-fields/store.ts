// SQL of keys and used cards.
import { type Instant, toTimestamp } from '../kernel/time.ts'
import {
  createWorker,
  execute,
  findAll,
  findFirst,
  hasRows,
  storeFunction,
  type Worker,
} from '../storage/index.ts'
import type { SecureFieldsDeps } from './deps.ts'
import { type CardUse, type SecureFieldKey, secureFieldKeys, secureFieldUses } from './model.ts'

export const insertKey = execute((key: SecureFieldKey) => secureFieldKeys.values(key))`
  insert into secure_field_keys (${secureFieldKeys.list()}) values (${secureFieldKeys.placeholders()})
  on conflict (day_number) do nothing`

export const findAcceptedKeys = findAll(secureFieldKeys, (now: Instant) => [toTimestamp(now)])`
  select * from secure_field_keys where not_after > $1 order by day_number desc`

export const findKey = findFirst(secureFieldKeys, (kid: string, now: Instant) => [kid, toTimestamp(now)])`
  select * from secure_field_keys where kid = $1 and not_after > $2`

/** Destroys old keys (PCI DSS 3.7.5). Returns their number. */
const destroyKeys = storeFunction(
  (now: Instant) => [toTimestamp(now)],
  (rows: { kid: string }[]) => rows.length,
)`
  delete from secure_field_keys where not_after <= $1 returning kid`

const newUses = secureFieldUses.whole

export const recordUse = hasRows((use: CardUse, forgetAt: Instant) => newUses.values({ ...use, forgetAt }))`
  insert into secure_field_uses (${newUses.list()}) values (${newUses.placeholders()})
  on conflict (wallet_id, session_id, set_id) do nothing
  returning set_id`

export const wasUsed = hasRows(({ walletId, sessionId, setId }: CardUse) => [walletId, sessionId, setId])`
  select set_id from secure_field_uses where wallet_id = $1 and session_id = $2 and set_id = $3`

const forgetUses = storeFunction(
  (now: Instant) => [toTimestamp(now)],
  (rows: { set_id: string }[]) => rows.length,
)`
  delete from secure_field_uses where forget_at <= $1 returning set_id`

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
