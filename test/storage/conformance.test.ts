// Guarantees of the database port, on PGlite and PostgreSQL.
import { randomUUID } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { instant, toTimestamp } from '../../src/kernel/time.ts'
import {
  auditCheck,
  batched,
  claimDueSql,
  createBatchWorker,
  createWorker,
  type Database,
  isCurrent,
  lookup,
  migrate,
  migrationList,
  openPostgres,
  rowSet,
  statement,
} from '../../src/storage/index.ts'
import { coreMigrations } from '../../src/storage/migrations/index.ts'
import {
  createEmptyPostgresDatabase,
  createPostgresDatabase,
  databaseKinds,
  openTestDatabase,
} from '../database.ts'
import { patienceSeconds } from '../patience.ts'

const drop = statement('drop table if exists samples')
const create = statement(`
  create table samples (
    id uuid primary key, amount bigint, words text[], document jsonb, made_at timestamptz, day date,
    flag boolean, secret bytea, due boolean default true, claimed_by uuid
  )`)

describe.each(databaseKinds)('a database on %s', (kind) => {
  let database: Database

  beforeAll(async () => {
    database = await openTestDatabase(kind)
    await database.run(drop)
    await database.run(create)
  })
  afterAll(() => database.close())

  it('is migrated, and migrating again changes nothing', async () => {
    expect(await isCurrent(database)).toBe(true)
    expect(await migrate(database)).toEqual([])
  })

  it('takes a step that came after later ones, as when two branches are joined', async () => {
    const numbered = (...names: string[]) => ({
      steps: {
        ...coreMigrations.steps,
        ...migrationList(Object.fromEntries(names.map((name) => [name, 'select 1']))).steps,
      },
    })
    expect(await migrate(database, numbered('9000-one', '9002-three'))).toEqual(['9000-one', '9002-three'])
    expect(await migrate(database, numbered('9000-one', '9001-two', '9002-three'))).toEqual(['9001-two'])
    expect(await isCurrent(database)).toBe(true)
    await database.run(statement(`delete from kysely_migration where name like '9%'`))
  })

  it('from before 0.1.0 is refused with advice, and unchanged', async () => {
    const rename = (from: string, to: string) =>
      database.run(statement(`update kysely_migration set name = '${to}' where name = '${from}'`))
    await rename('0001-baseline', '0001-wallets')
    expect(await isCurrent(database)).toBe(false)
    await expect(migrate(database)).rejects.toThrow(
      'the database is older than 0.1.0 and cannot be updated: ' +
        'set DATABASE_URL to an empty database, or DATA_DIR to an empty folder',
    )
    await rename('0001-wallets', '0001-baseline')
    expect(await migrate(database)).toEqual([])
  })

  it('of a later version is left as it is, and the error names the step', async () => {
    const later = '9999-of-a-later-version'
    await database.run(statement(`insert into kysely_migration values ('${later}', '')`))
    expect(await isCurrent(database)).toBe(true)
    await expect(migrate(database)).rejects.toThrow(later)
    await database.run(statement(`delete from kysely_migration where name = '${later}'`))
  })

  it('carries every type of column through a row set and back', async () => {
    const columns = rowSet({
      id: 'uuid',
      amount: 'bigint',
      document: 'jsonb',
      made_at: 'timestamptz',
      flag: 'boolean',
      secret: 'bytea',
    })
    const insert = statement<{ id: string }>(`
      with input as (${columns.source})
      insert into samples (id, amount, document, made_at, flag, secret)
      select id, amount, document, made_at, flag, secret from input
      returning id`)
    const first = randomUUID()
    const second = randomUUID()
    const made = instant(Date.parse('2026-03-29T22:59:59.123Z'))
    await database.run(
      insert,
      columns.parameters([
        {
          id: first,
          amount: 9_007_199_254_740_993n,
          document: JSON.stringify({ name: 'Zé "aspas" \\ {chaveta}, vírgula', list: [1, null] }),
          made_at: toTimestamp(made),
          flag: true,
          secret: Buffer.from([0, 255, 92, 34]),
        },
        { id: second, amount: null, document: null, made_at: null, flag: null, secret: null },
      ]),
    )
    const select = statement<Record<string, unknown>>(
      `select amount, document, made_at, flag, secret, '2026-02-28'::date as day, array['a', 'b,c'] as words
       from samples where id = $1`,
    )
    const [row] = await database.run(select, [first])
    expect(row).toMatchObject({
      amount: 9_007_199_254_740_993n,
      document: { name: 'Zé "aspas" \\ {chaveta}, vírgula', list: [1, null] },
      made_at: made,
      flag: true,
      day: '2026-02-28',
      words: ['a', 'b,c'],
    })
    expect([...(row as { secret: Uint8Array }).secret]).toEqual([0, 255, 92, 34])
    const [empty] = await database.run(select, [second])
    expect(empty).toMatchObject({ amount: null, document: null, made_at: null, flag: null, secret: null })
  })

  it('carries texts with every character through a row set', async () => {
    const columns = rowSet({ text: 'text' })
    const texts = [
      ...Array.from({ length: 127 }, (_, code) => `"${String.fromCharCode(code + 1)}\\`),
      '"line\nline\ttab\r"',
      '\u007f\u0085\u2028"',
      '"€ ação 😀"',
      'null',
      'NULL',
      '{a,b}',
      '',
    ]
    const select = statement<{ text: string }>(
      `select text from (${columns.source}) as input order by ordinal`,
    )
    const rows = await database.run(select, columns.parameters(texts.map((text) => ({ text }))))
    expect(rows.map(({ text }) => text)).toEqual(texts)
    const [half] = await database.run(select, columns.parameters([{ text: 'half of "one": \ud83d' }]))
    expect(half?.text).toBe('half of "one": \ufffd')
  })

  it('rolls a failed transaction back whole', async () => {
    const id = randomUUID()
    const insert = statement('insert into samples (id) values ($1)')
    await expect(
      database.transaction(async (tx) => {
        await tx.run(insert, [id])
        throw new Error('half way')
      }),
    ).rejects.toThrow('half way')
    const found = await database.run(statement('select id from samples where id = $1'), [id])
    expect(found).toEqual([])
  })

  it('serves many callers at once, inside and outside transactions', async () => {
    const one = statement<{ n: number }>('select $1::integer as n')
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        n % 3 === 0
          ? database.transaction(async (tx) => (await tx.run(one, [n]))[0]?.n)
          : database.run(one, [n]).then(([row]) => row?.n),
      ),
    )
    expect(answers).toEqual(Array.from({ length: 60 }, (_, n) => n))
  })

  it('carries any text unchanged through a row set', async () => {
    const columns = rowSet({ word: 'text', number: 'integer' })
    const texts = [
      '',
      'NULL',
      'null',
      '{}',
      'a,b',
      '"',
      '\\',
      '\\"',
      "'",
      ' x ',
      'ç€😀',
      '\n\t',
      null,
      '$1',
      '{"a":"\\\\"}',
    ]
    const echo = statement<{ word: string | null; number: number }>(`
      with input as (${columns.source}) select word, number from input order by ordinal`)
    const rows = texts.map((word, number) => ({ word, number }))
    expect(await database.run(echo, columns.parameters(rows))).toEqual(rows)
    expect(await database.run(echo, columns.parameters([]))).toEqual([])
  })

  it('groups concurrent writes, gives each caller its own outcome, and fails a bad row alone', async () => {
    const columns = rowSet({ id: 'uuid', amount: 'bigint' })
    const insert = statement<{ id: string }>(`
      with input as (${columns.source})
      insert into samples (id, amount) select id, amount from input returning id`)
    const sizes: number[] = []
    const write = batched<{ id: string; amount: bigint }, string>({
      database,
      async write(rows) {
        sizes.push(rows.length)
        const written = new Set((await database.run(insert, columns.parameters(rows))).map(({ id }) => id))
        return rows.map(({ id }) => (written.has(id) ? id : 'missing'))
      },
    })
    const rows = Array.from({ length: 50 }, (_, index) => ({ id: randomUUID(), amount: BigInt(index) }))
    const taken = rows[7] as { id: string; amount: bigint }
    await write(taken)
    sizes.length = 0
    const outcomes = await Promise.allSettled(rows.map((row) => write(row)))
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1)
    expect(outcomes[7]?.status).toBe('rejected')
    expect(outcomes[8]).toEqual({ status: 'fulfilled', value: rows[8]?.id })
    expect(Math.max(...sizes)).toBeGreaterThan(10)
  })

  it('never lets two rows of one aggregate share a statement', async () => {
    const seen: string[][] = []
    const write = batched<{ aggregate: string; n: number }, number>({
      database,
      aggregateOf: ({ aggregate }) => aggregate,
      async write(rows) {
        seen.push(rows.map(({ aggregate }) => aggregate))
        await database.ping()
        return rows.map(({ n }) => n)
      },
    })
    const calls = Array.from({ length: 40 }, (_, n) => ({ aggregate: `a${n % 4}`, n }))
    expect(await Promise.all(calls.map((call) => write(call)))).toEqual(calls.map(({ n }) => n))
    for (const group of seen) expect(new Set(group).size).toBe(group.length)
  })

  it('receives notifications', async () => {
    const notification = new Promise<string>((resolve) => void database.listen('samples_channel', resolve))
    const sender = setInterval(() => void database.notify('samples_channel', 'payload'), 20)
    expect(await notification).toBe('payload')
    clearInterval(sender)
  })

  it('works leased rows once each, also with two workers', async () => {
    await database.run(statement('update samples set due = false'))
    const ids = Array.from({ length: 30 }, () => randomUUID())
    for (const id of ids) await database.run(statement('insert into samples (id) values ($1)'), [id])
    const claim = statement<{ id: string }>(`
      update samples set claimed_by = $1
      where id in (select id from samples where due and claimed_by is null limit $2 for update skip locked)
      returning id`)
    const finish = statement('update samples set due = false where id = $1')
    const worked: string[] = []
    const makeWorker = () =>
      createWorker<{ id: string }>({
        name: 'samples',
        database,
        concurrency: 4,
        pollMs: 1000,
        claim: (limit) => database.run(claim, [randomUUID(), limit]),
        work: async ({ id }) => {
          worked.push(id)
          await database.run(finish, [id])
        },
        onError: (error) => {
          throw error
        },
      })
    const counts = await Promise.all([makeWorker().runDue(), makeWorker().runDue()])
    expect(worked.sort()).toEqual(ids.sort())
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(ids.length)
  })

  it('works a backlog batch after batch, pauses after one that failed, and stops between two', async () => {
    const divide = statement('select 1 / ($1::integer - 3) as quotient')
    const errors: unknown[] = []
    let batches = 0
    const worker = createBatchWorker({
      name: 'backlog',
      database,
      pollMs: 10_000,
      async runBatch() {
        await database.run(divide, [++batches])
        return true
      },
      onError: (error) => errors.push(error),
    })
    await worker.start()
    await expect.poll(() => errors.length).toBe(1)
    // Without a pause it would try again within two statements.
    for (let n = 0; n < 20; n++) await database.ping()
    expect(batches).toBe(3)
    await worker.stop()
    await worker.start()
    await expect.poll(() => batches).toBeGreaterThan(5)
    await worker.stop()
    const stoppedAt = batches
    for (let n = 0; n < 20; n++) await database.ping()
    expect(batches).toBe(stoppedAt)
    expect(errors).toHaveLength(1)
  })
})

const terminate = statement('select pg_terminate_backend(pg_backend_pid()) as gone where $1')

it('refuses a nested request for the only connection of PGlite, instead of a deadlock', async () => {
  const database = await openTestDatabase('pglite')
  const one = statement<{ n: number }>('select 1 as n')
  const asked = database.transaction(async (tx) => {
    await tx.run(one)
    return database.run(one)
  })
  const elsewhere = database.run(one)
  await expect(asked).rejects.toThrow('use only the transaction')
  expect(await elsewhere).toEqual([{ n: 1 }])
  // A query that the transaction did not await may run after its end.
  let begun: Promise<unknown> = Promise.resolve()
  await database.transaction(async (tx) => {
    await tx.run(one)
    begun = new Promise((resolve) => setImmediate(resolve)).then(() => database.run(one))
  })
  expect(await begun).toEqual([{ n: 1 }])
  await database.close()
})

it('continues after the server closes a connection in a transaction', async () => {
  const database = openPostgres({ url: await createPostgresDatabase() })
  const broken = database.transaction(async (tx) => {
    await tx.run(terminate, [true]).catch(() => undefined)
    await new Promise((resolve) => setTimeout(resolve, 50))
    await tx.run(statement('select 1'))
  })
  await expect(broken).rejects.toThrow('the database cannot be reached')
  await database.ping()
  await database.close()
})

it('reports that it is unreachable, for every call', async () => {
  const byNumber = lookup({ key: { number: 'bigint' }, sql: 'select wanted.number' })
  const database = openPostgres({ url: 'postgres://nobody@127.0.0.1:1/nothing' })
  const asked = [
    database.run(statement('select 1')),
    database.transaction(async (tx) => tx.run(statement('select 1'))),
    database.read('select $1::integer', [1]),
    database.find(byNumber, [1n]),
    database.notify('samples_channel', ''),
    database.ping(),
  ]
  for (const answer of await Promise.allSettled(asked)) {
    expect(answer).toMatchObject({ reason: { name: 'DatabaseUnavailable' } })
  }
  await database.close()
})

it('repeats no row of a batch if the database is unreachable', async () => {
  const database = openPostgres({ url: 'postgres://nobody@127.0.0.1:1/nothing' })
  const asked: number[] = []
  const write = batched<number, number>({
    database,
    async write(rows) {
      asked.push(...rows)
      await database.ping()
      return rows
    },
  })
  const rows = Array.from({ length: 50 }, (_, n) => n)
  for (const outcome of await Promise.allSettled(rows.map((row) => write(row))))
    expect(outcome).toMatchObject({ reason: { name: 'DatabaseUnavailable' } })
  expect(asked.toSorted((one, other) => one - other)).toEqual(rows)
  await database.close()
})

it('claims what is due without waiting for another process that is claiming', async () => {
  const database = openPostgres({ url: await createPostgresDatabase(), answerMsMax: patienceSeconds * 1000 })
  await database.run(statement('create table timers (wallet_id bigint, id integer, due_at timestamptz)'))
  await database.run(statement('insert into timers select 1, n, now() from generate_series(1, 5) as n'))
  const claim = statement<{ id: number }>(`${claimDueSql('timers')} returning id`)
  const claimed = await database.transaction(async (tx) => {
    const first = await tx.run(claim, ['2100-01-01', '2100-01-02', 2])
    // The first writer has not committed. If the second one had to wait, it would time out.
    return [...first, ...(await database.run(claim, ['2100-01-01', '2100-01-02', 5]))]
  })
  expect(claimed.map(({ id }) => id).toSorted()).toEqual([1, 2, 3, 4, 5])
  await database.close()
})

it('no statement that takes due rows waits for the rows of others', () => {
  const folder = join(import.meta.dirname, '..', '..', 'src')
  const stores = globSync('**/*.ts', { cwd: folder }).map((file) => readFileSync(join(folder, file), 'utf8'))
  const takes = stores.flatMap((text) =>
    [...text.matchAll(/limit \S+\s+for .*update.*|where due_at <= .* limit .*/g)].map(([take]) => take),
  )
  expect(takes.length).toBeGreaterThan(5)
  for (const take of takes) expect(take).toContain('skip locked')
})

it('says that it is out of reach when the server has run out of something, and is not ready for a while', async () => {
  const database = openPostgres({ url: await createPostgresDatabase(), connectionsMax: 1 })
  await database.run(statement('set work_mem = 64'))
  await database.run(statement('set temp_file_limit = 64'))
  const sorted = statement(`
    select count(*) from (select n from generate_series(1, $1::integer) as n order by md5(n::text) offset 0) as sorted`)
  const exhausted = {
    name: 'DatabaseUnavailable',
    reason: 'the database has run out of memory, connections or another resource (SQLSTATE 53400)',
  }
  await expect(database.run(sorted, [100_000])).rejects.toMatchObject(exhausted)
  await expect(database.ping()).rejects.toMatchObject(exhausted)
  expect(await database.run(sorted, [10])).toEqual([{ count: 10n }])
  await database.close()
})

it('hangs up on a server that does not answer', async () => {
  const database = openPostgres({ url: await createPostgresDatabase(), connectionsMax: 1, answerMsMax: 1000 })
  const silent = [
    database.run(statement('select pg_sleep($1)'), [60]),
    database.run(statement('select pg_sleep(60)')),
    database.connected((db) => db.run(statement('select pg_sleep(60)'))),
    database.transaction((tx) => tx.run(statement('select pg_sleep(60)'))),
  ]
  for (const answer of await Promise.allSettled(silent))
    expect(answer).toMatchObject({ reason: { message: 'the database cannot be reached' } })
  // On a slow machine any answer may take a second.
  await vi.waitFor(() => database.ping(), { timeout: patienceSeconds * 1000 })
  await database.close()
})

it('lets migrations and the checks of an audit take the time they need', async () => {
  const database = openPostgres({ url: await createPostgresDatabase(), answerMsMax: 500 })
  const check = auditCheck(
    'slow',
    'pg_sleep(1.5)',
    `select '' as subject, '' as detail from pg_sleep(1.5) limit 0`,
  )
  await sql`select pg_sleep(1.5)`.execute(database.kysely)
  expect(await check.run(database)).toEqual({ examined: 1, findings: [] })
  await database.close()
})

it('finishes only after the items that a poll has claimed', async () => {
  const database = await openTestDatabase('pglite')
  const due = ['claimed by the poll']
  let worked = 0
  const worker = createWorker<string>({
    name: 'samples',
    database,
    concurrency: 1,
    pollMs: 1000,
    claim: async () => due.splice(0),
    work: async () => {
      await new Promise((resolve) => setTimeout(resolve, 50))
      worked += 1
    },
    onError: (error) => {
      throw error
    },
  })
  await worker.start()
  expect(await worker.runDue()).toBe(1)
  expect(worked).toBe(1)
  await worker.stop()
  await database.close()
})

it('migrates once when several processes start at the same time', async () => {
  const url = await createEmptyPostgresDatabase()
  const databases = Array.from({ length: 4 }, () => openPostgres({ url }))
  const applied = await Promise.all(databases.map((database) => migrate(database)))
  expect(applied.filter((steps) => steps.length > 0)).toHaveLength(1)
  await Promise.all(databases.map((database) => database.close()))
})

it('keeps the ledger balanced, append only, and each movement in it once, with concurrent writers', async () => {
  const database = await openTestDatabase('pglite')
  const operation = randomUUID()
  const settled = (amount: number, to = 1) =>
    statement(`
      insert into postings (wallet_id, operation_id, purpose, debit_account, credit_account, amount, created_at)
      values (1, '${operation}', 'settle', -2, ${to}, ${amount}, now())`)
  await expect(database.run(settled(0))).rejects.toThrow('postings_amount_check')
  await expect(database.run(settled(-100))).rejects.toThrow('postings_amount_check')
  await expect(database.run(settled(100, -2))).rejects.toThrow('postings_check')
  await database.run(settled(100))
  await expect(database.run(settled(100))).rejects.toThrow('postings_pkey')
  await expect(database.run(statement('update postings set amount = 1'))).rejects.toThrow('append only')
  await expect(database.run(statement('delete from postings'))).rejects.toThrow('append only')
  const gatewayAccount = statement(`insert into accounts (wallet_id, kind) values (0, 'fees')`)
  await expect(database.run(gatewayAccount)).rejects.toThrow('accounts_check')
  await database.close()
})

it.each(databaseKinds)('refuses operations and deliveries that cannot be, on %s', async (kind) => {
  const database = await openTestDatabase(kind)
  const [operation, event] = [randomUUID(), randomUUID()]
  await database.run(
    statement(`
      insert into operations (id, wallet_id, type, status, method, amount, currency, channel, created_at, modified_at,
        settled_at)
      values ('${operation}', 1, 'PAYMENT', 'COMPLETED', 'CC', 1000, 'EUR', 'API', now(), now(), now())`),
  )
  await database.run(
    statement(`
      insert into deliveries (wallet_id, event_id, lane, endpoint, state, due_at)
      values (1, '${event}', 'wallet', 'wallet', 'DUE', now())`),
  )
  const wrong = {
    operations: [
      `type = 'SALE'`,
      `status = 'DONE'`,
      `status = 'PENDING'`,
      'settled_at = null',
      'under_approval = true',
      'amount = 0',
      'fee = 1',
      'refunded = -1',
      'refunded = 1001',
      `status = 'FAIL', refunded = 1`,
      'captured = 1',
      'captures = 1',
      'released = 1',
      'lapsed_at = now()',
      `type = 'AUTH', captured = 600, released = 401`,
      `type = 'AUTH', captured = -1`,
      `type = 'AUTH', released = -1`,
      `type = 'AUTH', captures = 11`,
      `type = 'REFUND', split = '[]'`,
      `type = 'AUTH', split_at = now()`,
      `status = 'FAIL', split_at = now()`,
      `type = 'REFUND', share_refunds = '[]'`,
      `type = 'REFUND', refund_source = 'owner'`,
      `share_refunds = '[]', refund_source = 'owner'`,
      `type = 'REFUND', share_refunds = '[]', refund_source = 'other'`,
    ],
    deliveries: [
      `endpoint = 'other'`,
      `endpoint = 'operation'`,
      `url = 'https://shop.example'`,
      `state = 'LOST', due_at = null`,
      `state = 'NO_ENDPOINT'`,
      'due_at = null',
      `state = 'DELIVERED', due_at = null`,
      'finished_at = now()',
      'attempts = -1',
      'attempts = 14',
      'claimed_until = now()',
      `claim_id = '${event}'`,
    ],
  }
  for (const [table, changes] of Object.entries(wrong)) {
    for (const change of changes) {
      const changed = database.run(statement(`update ${table} set ${change}`)).then(
        () => `took ${change}`,
        (error: Error) => error.message,
      )
      expect([change, await changed]).toEqual([change, expect.stringContaining(`${table}_hold`)])
    }
  }
  const right = [
    `operations set type = 'AUTH', captured = 600, released = 400, captures = 10, lapsed_at = now(), split = '[]'`,
    `operations set type = 'CAPTURE', captured = 0, released = 0, captures = 0, lapsed_at = null, split_at = now()`,
    'operations set refunded = 1000, fee = -5',
    `operations set type = 'REFUND', amount = -5, refunded = 0, split = null, split_at = null, share_refunds = '[]',
       refund_source = 'owner'`,
    `operations set status = 'PENDING', settled_at = null, under_approval = true`,
    `deliveries set claim_id = event_id, claimed_until = now(), attempts = 13`,
    `deliveries set endpoint = 'operation', url = 'https://shop.example', state = 'GIVEN_UP', due_at = null,
       finished_at = now()`,
  ]
  for (const change of right) await database.run(statement(`update ${change}`))
  await database.close()
})

it('repeats a transaction that PostgreSQL ended because two waited for each other', async () => {
  const database = openPostgres({ url: await createPostgresDatabase() })
  await database.run(statement('create table circled (id integer primary key, n integer not null)'))
  await database.run(statement('insert into circled values (1, 0), (2, 0)'))
  const add = statement('update circled set n = n + 1 where id = $1')
  /** Both have locked their first row, so a deadlock is certain. */
  const locked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let rounds = 0
  const inOrder = (ids: readonly number[], own: number) =>
    database.transaction(async (tx) => {
      rounds += 1
      await tx.run(add, [ids[0]])
      locked[own]?.resolve()
      await locked[1 - own]?.promise
      await tx.run(add, [ids[1]])
    })
  await Promise.all([inOrder([1, 2], 0), inOrder([2, 1], 1)])
  expect(await database.run(statement('select n from circled order by id'))).toEqual([{ n: 2 }, { n: 2 }])
  // The cancelled one may lock its row first again.
  expect(rounds).toBeGreaterThanOrEqual(3)
  await database.close()
})

it('repeats a statement that PostgreSQL ended because two waited for each other', async () => {
  const database = openPostgres({ url: await createPostgresDatabase() })
  await database.run(statement('create table circled (id integer primary key, n integer not null)'))
  await database.run(statement('insert into circled values (1, 0), (2, 0)'))
  const add = (ids: string) =>
    statement(`
      with ordered as materialized (select unnest(array[${ids}]) as id, pg_sleep(0.3))
      update circled set n = n + 1 from ordered where circled.id = ordered.id`)
  const oneByOne = statement('set enable_hashjoin = off; set enable_mergejoin = off')
  await Promise.all(Array.from({ length: 4 }, () => database.run(oneByOne)))
  await Promise.all([database.run(add('1, 2')), database.run(add('2, 1'))])
  expect(await database.run(statement('select n from circled order by id'))).toEqual([{ n: 2 }, { n: 2 }])
  await database.close()
})
