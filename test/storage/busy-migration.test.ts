// A migration under load causes no deadlock, and payments continue.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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

/** Changes `events` before `operations`, so that it can wait for a payment in the other order. */
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

it('does not block others during a long read', async () => {
  await older.query('begin; select from operations limit 1')
  const migrated = migrateFurther()
  for (let round = 0; round < 2; round++) {
    await expect.poll(isWaiting).toBe(true)
    // The migration gives up its place, so that this read can continue.
    await database.run(readOperations)
    await expect.poll(isWaiting).toBe(false)
  }
  await older.query('commit')
  expect(await migrated).toEqual(['9002-more'])
})

const building = statement('select pid from pg_stat_progress_create_index')
const readOperations = statement('select id from operations limit 1')

describe('an index of a table that grows', () => {
  const list = { ...coreMigrations, indexes: { operations_by_type: 'operations (type, id)' } }
  const isBuilding = async () => (await database.run(building)).length
  const known = async () => {
    const { rows } = await older.query(
      `select indisvalid, indexrelid::text as id from pg_index where indexrelid = to_regclass('operations_by_type')`,
    )
    return rows
  }
  const write = () => database.run({ text: `update operations set type = type where false` })

  it('is built once, by one of two processes, without blocking payments', async () => {
    await older.query('begin; update operations set type = type where false')
    const both = Promise.all([
      migrate(database, { ...list, steps: { ...list.steps, ...added.steps } }),
      migrate(database, { ...list, steps: { ...list.steps, ...added.steps } }),
    ])
    await expect.poll(isBuilding).toBe(1)
    await write()
    await older.query('commit')
    expect(await both).toEqual([[], []])
    expect(await known()).toEqual([{ indisvalid: true, id: expect.anything() }])
  })

  it('is rebuilt only after an interrupted build', async () => {
    const before = await known()
    await migrate(database, { ...list, steps: { ...list.steps, ...added.steps } })
    expect(await known()).toEqual(before)
    await older.query(
      `update pg_index set indisvalid = false where indexrelid = to_regclass('operations_by_type')`,
    )
    await migrate(database, { ...list, steps: { ...list.steps, ...added.steps } })
    const [index] = await known()
    expect(index).toMatchObject({ indisvalid: true })
    expect(index.id).not.toBe(before[0].id)
  })
})
