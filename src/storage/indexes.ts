// Indexes of tables that grow: built beside those who read and write, which a migration would keep waiting.
import { setTimeout as pause } from 'node:timers/promises'
import { type Database, type Executor, statement, statementWithoutTimeLimit } from './database.ts'

/** What each index is on, by its name, such as `operations (wallet_id, id) where type = 'AUTH'`. No index is unique. */
export type OnlineIndexes = Readonly<Record<string, string>>

/** Says who builds, so that no other process takes away what is only half built. */
const builderLock = 7_301_944_095n
const pauseMs = 500

const selectValid = statement<{ name: string; valid: boolean }>(`
  select index.relname as name, indisvalid as valid
  from pg_class as index join pg_index on indexrelid = index.oid
  where index.relnamespace = current_schema()::regnamespace and index.relname = any($1::text[])`)

async function missingOf(db: Executor, indexes: OnlineIndexes) {
  const names = Object.keys(indexes)
  const known = new Map((await db.run(selectValid, [names])).map(({ name, valid }) => [name, valid]))
  return names
    .filter((name) => known.get(name) !== true)
    .map((name) => ({ name, halfBuilt: known.has(name) }))
}

/**
 * Builds what is missing of `indexes`, one after the other, and waits for it; what nobody ended building is built anew. On
 * PostgreSQL everybody goes on reading and writing meanwhile, and of several processes one builds.
 */
export async function buildIndexes(database: Database, indexes: OnlineIndexes): Promise<void> {
  if ((await missingOf(database, indexes)).length === 0) return
  await database.connected(async (db) => {
    const concurrently = database.kind === 'postgres' ? 'concurrently' : ''
    // Asked for again and again: who waited for it inside a statement would be waited for by the one who builds.
    while (!(await isLocked(db))) await pause(pauseMs)
    try {
      for (const { name, halfBuilt } of await missingOf(db, indexes)) {
        if (halfBuilt) await db.run(statementWithoutTimeLimit(`drop index ${concurrently} ${name}`))
        await db.run(statementWithoutTimeLimit(`create index ${concurrently} ${name} on ${indexes[name]}`))
      }
    } finally {
      await db.run(unlock, [builderLock])
    }
  })
}

const lock = statement<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked')
const unlock = statement('select pg_advisory_unlock($1)')

async function isLocked(db: Executor): Promise<boolean> {
  return (await db.run(lock, [builderLock]))[0]?.locked === true
}
