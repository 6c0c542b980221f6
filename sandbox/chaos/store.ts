// SQL of chaos settings and of the owner of a key.
import { type Instant, toTimestamp } from '../../src/kernel/time.ts'
import { type Executor, type StoredRowOf, statement } from '../../src/storage/index.ts'
import { type ChaosSetting, type FaultyRail, settings, type WhichSettings } from './model.ts'

const selectSettings = statement<StoredRowOf<typeof settings>>(
  'select * from sandbox.chaos order by rail, wallet_id nulls first',
)

export async function listSettings(db: Executor): Promise<ChaosSetting[]> {
  return (await db.run(selectSettings)).map(settings.read)
}

const upsertSetting = statement(`
  insert into sandbox.chaos (${settings.list()}) values (${settings.placeholders()})
  on conflict (rail, wallet_id) do update set
    kind = excluded.kind, seconds = excluded.seconds, status = excluded.status,
    calls_left = excluded.calls_left, ends_at = excluded.ends_at`)

/** Writes a setting in place of the one for the same rail and merchant. */
export async function keepSetting(db: Executor, setting: ChaosSetting): Promise<void> {
  await db.run(upsertSetting, settings.values(setting))
}

const deleteSettings = statement(`
  delete from sandbox.chaos
  where ($1::text is null or rail = $1) and ($2::bigint is null or wallet_id = $2) and (not $3 or wallet_id is null)`)

export async function dropSettings(
  db: Executor,
  { rail, walletId, everybodys = false }: WhichSettings,
): Promise<void> {
  await db.run(deleteSettings, [rail ?? null, walletId ?? null, everybodys])
}

const deleteOver = statement('delete from sandbox.chaos where ends_at <= $1')

export async function dropOver(db: Executor, now: Instant): Promise<void> {
  await db.run(deleteOver, [toTimestamp(now)])
}

/** The last call of a setting with a limit deletes the setting. */
const takeOne = statement<{ calls_left: number }>(`
  with used as (
    delete from sandbox.chaos
    where rail = $1 and wallet_id is not distinct from $2::bigint and calls_left <= 1
    returning 0 as calls_left
  ),
  fewer as (
    update sandbox.chaos set calls_left = calls_left - 1
    where rail = $1 and wallet_id is not distinct from $2::bigint and calls_left > 1
    returning calls_left
  )
  select calls_left from used union all select calls_left from fewer`)

/** Uses up one call of a setting with a limit. Undefined if none is left. */
export async function takeCall(
  db: Executor,
  rail: FaultyRail,
  walletId: bigint | undefined,
): Promise<{ readonly left: number } | undefined> {
  const [row] = await db.run(takeOne, [rail, walletId ?? null])
  return row === undefined ? undefined : { left: row.calls_left }
}

/** Some calls name only a key, so this finds the merchant in the gateway's tables. */
const selectOwner = statement<{ is_theirs: boolean }>(`
  with asked as (select unnest(string_to_array($2, ','))::uuid as key)
  select exists (select from operations join asked on operations.id = asked.key where wallet_id = $1)
    or exists (select from attempts join asked on attempts.id = asked.key where wallet_id = $1)
    or exists (select from mandates join asked on mandates.id = asked.key where wallet_id = $1) as is_theirs`)

export async function ownsKey(db: Executor, walletId: bigint, keys: readonly string[]): Promise<boolean> {
  const [row] = await db.run(selectOwner, [walletId, keys.join(',')])
  return row?.is_theirs === true
}

const selectReferenceOwner = statement<{ id: string }>(`
  select id from bank_references where wallet_id = $1 and entity = $2 and ref = $3 limit 1`)

export async function ownsReference(
  db: Executor,
  walletId: bigint,
  { entity, ref }: { readonly entity: string; readonly ref: string },
): Promise<boolean> {
  return (await db.run(selectReferenceOwner, [walletId, entity, ref])).length > 0
}
