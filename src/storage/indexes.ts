// Indexes of growing tables, built without blocking.
import { setTimeout as pause } from 'node:timers/promises'
import { type Database, type Executor, statement, statementWithoutTimeLimit } from './database.ts'

export type OnlineIndexes = Readonly<Record<string, string>>

/** The lock of the process that builds indexes, so that no other one drops a half-built index. */
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

/** Builds missing and half-built indexes. On PostgreSQL this blocks nobody, and only one process builds. */
export async function buildIndexes(database: Database, indexes: OnlineIndexes): Promise<void> {
  if ((await missingOf(database, indexes)).length === 0) return
  await database.connected(async (db) => {
    const concurrently = database.kind === 'postgres' ? 'concurrently' : ''
    // This polls for the lock. If it waited in a statement, the builder would wait for that statement.
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
