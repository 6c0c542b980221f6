// Batched reads by key.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, lookup, statement } from '../../src/storage/index.ts'
import { databaseKinds, openTestDatabase } from '../database.ts'

interface Sample {
  id: string
  wallet_id: bigint
  amount: bigint
  document: unknown
  made_at: number
  secret: Uint8Array
  note: string | null
  asked_at: string
}

/** `asked_at` is equal within one statement. */
const sampleByKey = lookup<Sample>({
  key: { wallet_id: 'bigint', id: 'uuid' },
  sql: `
    select samples.*, statement_timestamp()::text as asked_at
    from samples where wallet_id = wanted.wallet_id and id = wanted.id`,
})
const sampleByNote = lookup<Sample>({
  key: { note: 'text' },
  sql: 'select samples.*, null::text as asked_at from samples where note = wanted.note',
})
const insert = statement(`
  insert into samples (id, wallet_id, amount, document, made_at, secret, note) values ($1, $2, $3, $4, $5, $6, $7)`)

describe.each(databaseKinds)('reads by key on %s', (kind) => {
  let database: Database

  async function write(walletId: bigint, amount: bigint, note: string | null = null): Promise<string> {
    const id = randomUUID()
    const document = JSON.stringify({ amount: String(amount) })
    await database.run(insert, [
      id,
      walletId,
      amount,
      document,
      '2026-03-29T22:59:59.123Z',
      Buffer.from([0, 255, 92]),
      note,
    ])
    return id
  }

  beforeAll(async () => {
    database = await openTestDatabase(kind)
    await database.run(
      statement(`
        create table samples (
          id uuid not null, wallet_id bigint not null, amount bigint, document jsonb, made_at timestamptz,
          secret bytea, note text unique, primary key (wallet_id, id)
        )`),
    )
  })
  afterAll(() => database.close())

  it('reads every type of column as a statement of its own reads it', async () => {
    const id = await write(1n, 9_007_199_254_740_993n)
    const row = await database.find(sampleByKey, [1n, id])
    const [same] = await database.run<Sample>(statement('select * from samples where id = $1'), [id])
    expect(same).toMatchObject({ amount: 9_007_199_254_740_993n, note: null })
    for (const [column, value] of Object.entries(same ?? {}))
      expect([column, row?.[column as keyof Sample]]).toEqual([column, value])
  })

  it('answers each of many callers its own row, and the wallet that asks for a row of another one nothing', async () => {
    const ids = await Promise.all(Array.from({ length: 40 }, (_, n) => write(BigInt(n % 4), BigInt(n))))
    const asked = ids.flatMap((id, n) => [
      { walletId: BigInt(n % 4), id, amount: BigInt(n) },
      { walletId: BigInt((n + 1) % 4), id, amount: undefined },
      { walletId: BigInt(n % 4), id: id.toUpperCase(), amount: BigInt(n) },
      { walletId: BigInt(n % 4), id: randomUUID(), amount: undefined },
    ])
    const rows = await Promise.all(
      asked.map(({ walletId, id }) => database.find(sampleByKey, [walletId, id])),
    )
    expect(rows.map((row) => row?.amount)).toEqual(asked.map(({ amount }) => amount))
    for (const [index, row] of rows.entries()) {
      if (row !== undefined) expect(row).toMatchObject({ wallet_id: asked[index]?.walletId })
    }
    const statements = new Set(rows.flatMap((row) => (row === undefined ? [] : [row.asked_at])))
    expect(statements.size).toBeLessThan(5)
  })

  it('sees what was committed before it was asked, however busy it is', async () => {
    const seen = await Promise.all(
      Array.from({ length: 100 }, async (_, n) => {
        const id = await write(7n, BigInt(n))
        return (await database.find(sampleByKey, [7n, id]))?.amount
      }),
    )
    expect(seen).toEqual(Array.from({ length: 100 }, (_, n) => BigInt(n)))
  })

  it('sees within a transaction what that wrote, and no other reader does before it commits', async () => {
    const id = randomUUID()
    await database.transaction(async (tx) => {
      await tx.run(insert, [id, 8n, 5n, '{}', '2026-01-01T00:00:00Z', Buffer.from([1]), null])
      expect((await tx.find(sampleByKey, [8n, id]))?.amount).toBe(5n)
      // The embedded database has one connection.
      if (kind === 'postgres') expect(await database.find(sampleByKey, [8n, id])).toBeUndefined()
    })
    expect((await database.find(sampleByKey, [8n, id]))?.amount).toBe(5n)
  })

  it('fails a key that cannot be one alone', async () => {
    const id = await write(9n, 3n, 'nine')
    const settled = await Promise.allSettled([
      database.find(sampleByKey, [9n, id]),
      database.find(sampleByKey, [9n, 'no uuid']),
      database.find(sampleByKey, ['9' as never, id]),
      database.find(sampleByKey, [9n, id]),
    ])
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
    // A value that only the database refuses.
    const notes = await Promise.allSettled(
      ['nine', 'a\0b', 'nine'].map((note) => database.find(sampleByNote, [note])),
    )
    expect(notes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  it('continues after a failed statement and a rolled back transaction', async () => {
    const broken = statement('select 1 / $1::integer')
    await expect(database.run(broken, [0])).rejects.toThrow('division by zero')
    await expect(database.transaction((tx) => tx.run(broken, [0]))).rejects.toThrow('division by zero')
    const id = await write(10n, 1n)
    expect((await database.find(sampleByKey, [10n, id]))?.amount).toBe(1n)
    // The statement is already described on its connections.
    expect(await database.run(statement('select 4 / $1::integer as n'), [2])).toEqual([{ n: 2 }])
    expect(await database.run(statement('select 4 / $1::integer as n'), [1])).toEqual([{ n: 4 }])
  })
})
