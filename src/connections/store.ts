// The SQL of connections.
import { type Instant, toTimestamp } from '../kernel/time.ts'
import type { RailName } from '../rails/rail-name.ts'
import { type Executor, type StoredRowOf, statement } from '../storage/index.ts'
import { type ConnectionRow, railConnections } from './model.ts'

type Row = StoredRowOf<typeof railConnections>

const selectConnections = statement<Row>(`
  select ${railConnections.list()} from rail_connections order by id`)

export async function listConnections(db: Executor): Promise<ConnectionRow[]> {
  return (await db.run(selectConnections)).map(railConnections.read)
}

const lockChanges = statement(`select pg_advisory_xact_lock(hashtext('comporta rail connections'))`)

/** Changes wait for each other because each one checks the rails of the others. */
export async function lockConnections(tx: Executor): Promise<void> {
  await tx.run(lockChanges)
}

const insertConnectionRow = statement<Row>(`
  insert into rail_connections
    (public_id, driver, wallet_id, rails, settings, secrets_sealed, allow_unproven, account, enabled, created_at, changed_at)
  values ($1, $2, $3, $4::text[], $5, $6, $7, $9, true, $8, $8)
  returning ${railConnections.list()}`)

export type NewConnection = Pick<
  ConnectionRow,
  'publicId' | 'driver' | 'walletId' | 'rails' | 'settings' | 'secretsSealed' | 'allowUnproven' | 'account'
>

export async function insertConnection(
  tx: Executor,
  made: NewConnection,
  now: Instant,
): Promise<ConnectionRow> {
  const rows = await tx.run(insertConnectionRow, [
    made.publicId,
    made.driver,
    made.walletId ?? null,
    made.rails as RailName[],
    JSON.stringify(made.settings),
    made.secretsSealed,
    made.allowUnproven,
    toTimestamp(now),
    made.account ?? null,
  ])
  return railConnections.first(rows) as ConnectionRow
}

const updateConnectionRow = statement<Row>(`
  update rail_connections
  set rails = $2::text[], settings = $3, secrets_sealed = $4, allow_unproven = $5, changed_at = $6, account = $7
  where id = $1
  returning ${railConnections.list()}`)

export async function updateConnection(
  tx: Executor,
  id: bigint,
  changed: Omit<NewConnection, 'publicId' | 'driver' | 'walletId'>,
  now: Instant,
): Promise<ConnectionRow> {
  const rows = await tx.run(updateConnectionRow, [
    id,
    changed.rails as RailName[],
    JSON.stringify(changed.settings),
    changed.secretsSealed,
    changed.allowUnproven,
    toTimestamp(now),
    changed.account ?? null,
  ])
  return railConnections.first(rows) as ConnectionRow
}

const noteAccountRow = statement(`
  update rail_connections set account = $2 where id = $1 and account is null`)

export async function noteAccount(db: Executor, id: bigint, account: string): Promise<void> {
  await db.run(noteAccountRow, [id, account])
}

const disable = statement<{ id: bigint }>(`
  update rail_connections set enabled = false, changed_at = $2 where id = $1 and enabled returning id`)

export async function disableConnection(tx: Executor, id: bigint, now: Instant): Promise<boolean> {
  return (await tx.run(disable, [id, toTimestamp(now)])).length > 0
}
