// Prepared statements: values in and out, and errors.
import { randomUUID } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { instant, toTimestamp } from '../../src/kernel/time.ts'
import {
  type Database,
  DatabaseUnavailable,
  openPglite,
  openPostgres,
  statement,
} from '../../src/storage/index.ts'
import { createPostgresDatabase, databaseKinds, openTestDatabase } from '../database.ts'

const id = randomUUID()
const time = instant(Date.parse('2026-03-29T22:59:59.123Z'))
const timeText = toTimestamp(time)

const values: readonly (readonly [type: string, given: unknown, read?: unknown])[] = [
  ['bigint', 9_007_199_254_740_993n],
  ['bigint', -1],
  ['integer', -7],
  ['float8', 0.1],
  ['float8', -1e300],
  ['boolean', true],
  ['boolean', false],
  ['text', 'ç€😀 "\\\n\t'],
  ['text', ''],
  ['text', 12, '12'],
  ['text', null],
  ['text', undefined, null],
  ['uuid', id],
  ['date', '2026-02-28'],
  ['timestamptz', timeText, time],
  ['timestamptz', new Date(time), time],
  ['bytea', Buffer.from([0, 255, 92, 34])],
  ['bytea', new Uint8Array([1, 2, 3]), Buffer.from([1, 2, 3])],
  ['bytea', Buffer.alloc(0)],
  ['jsonb', '{"a": [1, null]}', { a: [1, null] }],
  ['jsonb', { a: 'ç' }],
  ['text[]', ['a,b', 'NULL', null, '"', '\\', '']],
  ['text[]', []],
  ['text[]', '{a,"b,c",NULL}', ['a', 'b,c', null]],
  ['integer[]', [1, null, -3]],
  ['uuid[]', [id]],
  ['boolean[]', [true, null, false]],
]

describe.each(databaseKinds)('statements on %s', (kind) => {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase(kind)
  })
  afterAll(() => database.close())

  it('carry every type of parameter there and back', async () => {
    const list = values.map(([type], at) => `$${at + 1}::${type} as v${at}`).join(', ')
    const echo = statement<Record<string, unknown>>(`select ${list}`)
    const wanted = values.map(([, given, read]) =>
      read === undefined && given !== undefined ? given : (read ?? null),
    )
    wanted[1] = -1n
    for (let use = 0; use < 3; use++) {
      const [row] = await database.run(
        echo,
        values.map(([, given]) => given),
      )
      expect(Object.values(row ?? {}).map(comparable)).toEqual(wanted.map(comparable))
    }
  })

  it('are parsed once for all their uses', async () => {
    const double = statement<{ n: number }>('select 2 * $1::integer as n')
    const uses = statement<{ uses: bigint }>(
      'select generic_plans + custom_plans as uses from pg_prepared_statements where statement = $1',
    )
    await database.connected(async (db) => {
      for (let n = 0; n < 10; n++) expect(await db.run(double, [n])).toEqual([{ n: 2 * n }])
      expect(await db.run(uses, [double.text])).toEqual([{ uses: 10n }])
    })
  })

  it('continue after a failure, alone and in a transaction', async () => {
    const divide = statement<{ n: number }>('select 6 / $1::integer as n')
    const wrong = statement('select $1::integer from a_table_that_is_not_there')
    await expect(database.run(divide, ['six'])).rejects.toMatchObject({ code: '22P02', severity: 'ERROR' })
    for (let time = 0; time < 3; time++) {
      await expect(database.run(divide, [0])).rejects.toMatchObject({ code: '22012' })
      expect(await database.run(divide, [2])).toEqual([{ n: 3 }])
      await expect(database.run(wrong, [1])).rejects.toMatchObject({ code: '42P01' })
    }
    const failed = database.transaction(async (tx) => {
      await tx.run(divide, [3])
      await expect(tx.run(divide, [0])).rejects.toMatchObject({ code: '22012' })
      await tx.run(divide, [2])
    })
    await expect(failed).rejects.toMatchObject({ code: '25P02' })
    expect(await database.run(divide, [1])).toEqual([{ n: 6 }])
    await expect(database.run(divide, [1, 2])).rejects.toMatchObject({ cause: { code: '08P01' } })
    expect(await database.run(divide, [1])).toEqual([{ n: 6 }])
  })

  it('fail without enough stack, and others continue', async () => {
    const asJson = statement<{ json: unknown }>('select $1::jsonb as json')
    await expect(database.run(asJson, ['['.repeat(200_000)])).rejects.toThrow()
    expect(await database.run(asJson, ['[1]'])).toEqual([{ json: [1] }])
  })

  it('that were first prepared in a transaction which was rolled back can be used', async () => {
    const triple = statement<{ n: number }>('select 3 * $1::integer as n')
    const rolledBack = database.transaction(async (tx) => {
      await tx.run(triple, [1])
      throw new Error('rolled back')
    })
    await expect(rolledBack).rejects.toThrow('rolled back')
    expect(await database.run(triple, [2])).toEqual([{ n: 6 }])
  })

  it('answer rows as arrays by the names of their columns, and none of none', async () => {
    const text = `select n as a, 'x' as "b c", n as a from generate_series(1, $1::integer) as n`
    const names = ['a', 'b c', 'a']
    expect(await database.read(text, [2])).toEqual({
      names,
      rows: [
        [1, 'x', 1],
        [2, 'x', 2],
      ],
    })
    expect(await database.read(text, [0])).toEqual({ names, rows: [] })
  })
})

it('on PGlite see the columns that a table has been given since', async () => {
  const database = await openTestDatabase('pglite')
  await database.run(statement('create table growing (id integer)'))
  await database.run(statement('insert into growing values (1)'))
  const select = statement('select * from growing where id = $1')
  expect(await database.run(select, [1])).toEqual([{ id: 1 }])
  await database.run(statement(`alter table growing add column word text not null default 'new'`))
  expect(await database.run(select, [1])).toEqual([{ id: 1, word: 'new' }])
  await database.run(statement('alter table growing drop column word'))
  // A transaction cannot continue after an error, but can be repeated.
  const inTransaction = () => database.transaction((tx) => tx.run(select, [1]))
  await expect(inTransaction()).rejects.toMatchObject({ code: '0A000' })
  expect(await database.run(select, [1])).toEqual([{ id: 1 }])
  expect(await inTransaction()).toEqual([{ id: 1 }])
  await database.close()
})

it('on PGlite are refused once its thread has ended, which is reported to its opener', async () => {
  const posts = vi.spyOn(Worker.prototype, 'postMessage')
  const errors: unknown[] = []
  const database = await openPglite(undefined, { onBroken: (error) => errors.push(error) })
  const select = statement<{ n: number }>('select $1::integer as n')
  expect(await database.run(select, [1])).toEqual([{ n: 1 }])
  await (posts.mock.contexts.at(-1) as Worker).terminate()
  await expect(database.run(select, [2])).rejects.toBeInstanceOf(DatabaseUnavailable)
  expect(errors).toHaveLength(1)
  posts.mockRestore()
})

/** The drivers use different classes for bytes. */
function comparable(value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value
}

it('statements survive changed columns of their tables, also in a transaction', async () => {
  const url = await createPostgresDatabase()
  const database = openPostgres({ url, connectionsMax: 3 })
  const newer = openPostgres({ url })
  await newer.run(statement('create table grown (id bigint); create table also_grown (id bigint)'))
  await newer.run(statement('insert into grown values (1); insert into also_grown values (1)'))
  const one = statement<Record<string, unknown>>('select * from grown where id = $1')
  const two = statement<Record<string, unknown>>('select * from also_grown where id = $1')
  const together = () =>
    database.transaction(async (tx) => [...(await tx.run(one, [1])), ...(await tx.run(two, [1]))])
  const add = (column: string) =>
    newer.run(statement(`alter table grown add ${column} text; alter table also_grown add ${column} text`))
  // Three transactions at once prepare the statements on every connection.
  await Promise.all([together(), together(), together()])

  await add('a')
  expect(await Promise.all([together(), together(), together()])).toEqual(
    Array(3).fill([
      { id: 1n, a: null },
      { id: 1n, a: null },
    ]),
  )
  await add('b')
  expect(await database.run(one, [1])).toEqual([{ id: 1n, a: null, b: null }])
  expect(await database.read(two.text, [1])).toMatchObject({ names: ['id', 'a', 'b'] })
  await Promise.all([database.close(), newer.close()])
})
