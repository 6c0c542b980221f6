// The signed history contains every posting and event once.
import { verify } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { continueEventOrder } from '../../src/callbacks/index.ts'
import type { Database } from '../../src/storage/index.ts'
import { databaseKinds, openTestDatabase } from '../database.ts'
import { Books, chainOf, newKeyring } from './books.ts'

const headText = async (chain: ReturnType<typeof chainOf>) => {
  const head = await chain.head()
  return JSON.stringify({ signed: head?.signed, signature: head?.signature })
}
const findingsOf = async (chain: ReturnType<typeof chainOf>, database: Database) =>
  (await Promise.all(chain.checks.map((check) => check.run(database)))).flatMap(({ findings }) => findings)

const counts = `
  select (select count(*) from postings) as written, (select count(*) from events) as recorded,
    (select postings from chain_batches order by number desc limit 1) as chained,
    (select events from chain_batches order by number desc limit 1) as chained_events`

describe.each(databaseKinds)('the chain on %s', (kind) => {
  let database: Database
  let books: Books
  const keyring = newKeyring()
  beforeAll(async () => {
    database = await openTestDatabase(kind)
    books = new Books(database)
  })
  afterAll(() => database.close())

  it('has nothing before anything is written, and says so', async () => {
    const chain = chainOf(database, { keyring })
    await chain.workers.chain.runDue()
    expect(await chain.head()).toBeUndefined()
    expect(await findingsOf(chain, database)).toEqual([])
    expect(chain.errors).toEqual([])
  })

  it('has everything once, in batches, and its heads are signed for anybody to see', async () => {
    const chain = chainOf(database, { keyring, rowsMax: 7 })
    for (let payment = 0; payment < 6; payment++) await books.pay(payment % 2 === 0 ? 1n : 2n)
    const paid = Date.now()
    await chain.workers.chain.runDue()
    expect(await books.run(counts)).toEqual([
      { written: 12n, recorded: 6n, chained: 12n, chained_events: 6n },
    ])
    const head = await chain.head()
    expect(head).toMatchObject({ postings: 12n, events: 6n, key: 1 })
    expect(head?.number).toBeGreaterThan(1n)
    expect(head?.committedUntil).toBeGreaterThanOrEqual(paid)
    const [{ publicKey } = { publicKey: '' }] = await chain.keys()
    const { signed = '', signature = '' } = head ?? {}
    const signatureBytes = Buffer.from(signature, 'base64')
    expect(verify(null, Buffer.from(signed), publicKey, signatureBytes)).toBe(true)
    expect(await findingsOf(chain, database)).toEqual([])
    expect(await chain.prove(await headText(chain), undefined)).toMatchObject({
      value: { ok: true, postings: 12n, events: 6n, differences: [] },
    })
    expect(chain.errors).toEqual([])
  })

  it('continues in another process, and writes nothing without new records', async () => {
    const before = await chainOf(database, { keyring }).head()
    await books.pay(1n)
    const chain = chainOf(database, { keyring })
    await chain.workers.chain.runDue()
    const after = await chain.head()
    expect(after).toMatchObject({ number: (before?.number ?? 0n) + 1n, postings: 14n, events: 7n })
    await chain.workers.chain.runDue()
    expect(await chain.head()).toEqual(after)
    expect(chain.errors).toEqual([])
  })

  it('has everything once while many write and two processes chain', async () => {
    let writing = true
    const chains = [1, 2].map(() => chainOf(database, { keyring, rowsMax: 20 }))
    const chaining = chains.map(async (chain) => {
      while (writing) await chain.workers.chain.runDue()
    })
    await Promise.all(
      [1n, 2n, 3n, 4n].map(async (walletId) => {
        for (let payment = 0; payment < 15; payment++) await books.pay(walletId)
      }),
    )
    writing = false
    await Promise.all(chaining)
    await chains[0]?.workers.chain.runDue()
    const [counted] = await books.run<{ written: bigint; recorded: bigint }>(counts)
    expect(counted).toMatchObject({ chained: counted?.written, chained_events: counted?.recorded })
    expect(await findingsOf(chainOf(database, { keyring }), database)).toEqual([])
    expect(chains.flatMap(({ errors }) => errors)).toEqual([])
  })

  it('has everything once if two rounds run at the same time after a clock change', async () => {
    const chain = chainOf(database, { keyring, rowsMax: 4 })
    for (let payment = 0; payment < 5; payment++) await books.pay(1n)
    await Promise.all([
      chain.workers.chain.runDue(),
      chain.workers.chain.runDue(),
      chain.workers.chain.runDue(),
    ])
    await chain.workers.chain.runDue()
    expect(chain.errors).toEqual([])
    expect(await findingsOf(chain, database)).toEqual([])
    const [counted] = await books.run<{ written: bigint; recorded: bigint }>(counts)
    expect(counted).toMatchObject({ chained: counted?.written, chained_events: counted?.recorded })
  })

  it('changes the key on request, and keeps earlier heads', async () => {
    const chain = chainOf(database, { keyring })
    const before = await headText(chain)
    expect(await chain.nextKey()).toBe(2)
    await books.pay(2n)
    await chain.workers.chain.runDue()
    expect(await chain.head()).toMatchObject({ key: 2 })
    expect(await chain.keys()).toHaveLength(2)
    expect(await chain.prove(before, undefined)).toMatchObject({ value: { ok: true } })
    expect(await chain.prove(await headText(chain), undefined)).toMatchObject({ value: { ok: true } })
    expect(await findingsOf(chain, database)).toEqual([])
  })

  it('continues after a restore on a server with fewer transactions', async () => {
    const far = '4000000000000'
    for (const table of ['postings', 'events'])
      await books.run(`alter table ${table} alter column written_in set default ${far}`)
    await books.pay(1n)
    await books.run('update event_order set shift = 4000000000000')
    const chain = chainOf(database, { keyring })
    await chain.workers.chain.runDue()
    await books.run('update event_order set shift = 0')
    for (const table of ['postings', 'events'])
      await books.run(
        `alter table ${table} alter column written_in set default pg_current_xact_id()::text::bigint`,
      )
    expect(await continueEventOrder(database)).toBe(true)
    await books.pay(1n)
    await chain.workers.chain.runDue()
    const [counted] = await books.run<{ written: bigint; recorded: bigint }>(counts)
    expect(counted).toMatchObject({ chained: counted?.written, chained_events: counted?.recorded })
    expect(await findingsOf(chain, database)).toEqual([])
    expect(chain.errors).toEqual([])
  })
})

describe('a minute of many payments', () => {
  it('is read a few times at most, and not the whole table for each of its 30 batches', async () => {
    // The embedded database has no autovacuum, so it has no statistics.
    const database = await openTestDatabase('pglite')
    const books = new Books(database)
    await books.pay(1n)
    const [transactions, each] = [30, 2_000]
    for (let transaction = 0; transaction < transactions; transaction++)
      await books.run(
        `insert into postings (wallet_id, operation_id, purpose, debit_account, credit_account, amount, created_at)
         select wallet_id, gen_random_uuid(), purpose, debit_account, credit_account, amount, now()
         from (select * from postings order by id limit 1) as first, generate_series(1, $1::int)`,
        [each],
      )
    const chain = chainOf(database, { rowsMax: each })
    const before = await readWhole(books)
    await chain.workers.chain.runDue()
    expect((await readWhole(books)) - before).toBeLessThan(4 * transactions * each)
    expect(await chain.head()).toMatchObject({ postings: BigInt(transactions * each + 2) })
    expect((await chain.head())?.number).toBeGreaterThanOrEqual(BigInt(transactions))
    expect(chain.errors).toEqual([])
    await database.close()
  })
})

/** Rows of postings read by sequential scans. */
async function readWhole(books: Books): Promise<number> {
  await books.run('select pg_stat_force_next_flush()')
  const [{ rows } = { rows: 0n }] = await books.run<{ rows: bigint }>(
    `select seq_tup_read as rows from pg_stat_user_tables where relname = 'postings'`,
  )
  return Number(rows)
}

describe('a transaction that commits late', () => {
  it('is waited for: nothing is passed over', async () => {
    const database = await openTestDatabase('postgres')
    const books = new Books(database)
    const keyring = newKeyring()
    const chain = chainOf(database, { keyring, openMsMax: 100 })
    await books.pay(1n)
    let commit = () => {}
    let begun = () => {}
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve
    })
    const slow = books.pay(1n, {
      commit: () => {
        begun()
        return new Promise<void>((resolve) => {
          commit = resolve
        })
      },
    })
    await hasBegun
    await books.pay(2n)
    await chain.workers.chain.runDue()
    expect(await chain.head()).toBeUndefined()
    commit()
    await slow
    await chainOf(database, { keyring }).workers.chain.runDue()
    expect(await chain.head()).toMatchObject({ postings: 6n, events: 3n })
    expect(await findingsOf(chain, database)).toEqual([])
    expect(chain.errors).toEqual([])
    await database.close()
  })
})
