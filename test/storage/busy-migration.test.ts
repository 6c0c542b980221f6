// Migrating while processes of the version before settle payments, or somebody reads for long: nobody ends in a deadlock, or stands still.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Database, migrate, migrationList, openPostgres, statement } from '../../src/storage/index.ts'
import { coreMigrations } from '../../src/storage/migrations/index.ts'
import { createPostgresDatabase } from '../database.ts'

let database: Database
let older: pg.Client

beforeAll(async () => {
  const url = await createPostgresDatabase()
  database = openPostgres({ url })
  older = new pg.Client({ connectionString: url })
  await older.connect()
})
afterAll(async () => {
  await older.end()
  await database.close()
})

let added = migrationList({})

/** Applies one more step, which changes `events` before `operations`. */
function migrateFurther(): Promise<string[]> {
  const column = `x${randomUUID().slice(0, 8)}`
  const step = `alter table events add ${column} text; alter table operations add ${column} text`
  const name = `${9000 + Object.keys(added.steps).length}-more`
  added = { steps: { ...added.steps, ...migrationList({ [name]: step }).steps } }
  return migrate(database, { steps: { ...coreMigrations.steps, ...added.steps } })
}

const waiting = statement<{ waits: boolean }>(`
  select exists (
    select from pg_locks where not granted and mode = 'AccessExclusiveLock'
      and database = (select oid from pg_database where datname = current_database())
  ) as waits`)
const isWaiting = async () => (await database.run(waiting))[0]?.waits
const deadlocks = async () => {
  const { rows } = await older.query(
    'select deadlocks from pg_stat_database where datname = current_database()',
  )
  return Number(rows[0].deadlocks)
}

it('waits for a payment that writes its operation before its event', async () => {
  await older.query('begin; lock table operations in row exclusive mode')
  const migrated = migrateFurther()
  await expect.poll(isWaiting).toBe(true)
  await older.query('lock table events in row exclusive mode')
  await older.query('commit')
  expect(await migrated).toEqual(['9000-more'])
  expect(await deadlocks()).toBe(0)
})

it('gives way to a payment that wants what it has, and begins again', async () => {
  await older.query('begin; lock table deliveries in row exclusive mode')
  const migrated = migrateFurther()
  await expect.poll(isWaiting).toBe(true)
  await older.query('lock table operations in row exclusive mode')
  await older.query('commit')
  expect(await migrated).toEqual(['9001-more'])
  expect(await deadlocks()).toBe(0)
})

it('lets the others go on while somebody reads for long', async () => {
  await older.query('begin; select from operations limit 1')
  const migrated = migrateFurther()
  for (let round = 0; round < 2; round++) {
    await expect.poll(isWaiting, { timeout: 10_000 }).toBe(true)
    // It waits behind the migration, which gives up.
    await database.run(readOperations)
    await expect.poll(isWaiting, { timeout: 10_000 }).toBe(false)
  }
  await older.query('commit')
  expect(await migrated).toEqual(['9002-more'])
})

const readOperations = statement('select id from operations limit 1')
