// Searching operations: every filter and text, pages, one wallet alone.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cents } from '../../src/kernel/money.ts'
import { newId, systemRandomness } from '../../src/kernel/random.ts'
import { type Instant, instant } from '../../src/kernel/time.ts'
import { insertOperations } from '../../src/operations/for-movements.ts'
import { type NewOperation, type OperationSearch, searchOperations } from '../../src/operations/index.ts'
import { searchChecks } from '../../src/operations/search/audit.ts'
import { hasChanged, indexChanges } from '../../src/operations/search/indexer.ts'
import { type Database, statement } from '../../src/storage/index.ts'
import { databaseKinds, openTestDatabase } from '../database.ts'

const wallet = 1001n
/** Its ids do not follow those of other tests, which may be later. */
const random = { ...systemRandomness }
/** Ids never go back in time, so the second database has later times. */
const starts = { pglite: instant(Date.UTC(2026, 2, 1, 12)), postgres: instant(Date.UTC(2026, 2, 2, 12)) }

function operationAt(at: Instant, given: Partial<NewOperation> = {}): NewOperation {
  return {
    id: newId(at, random),
    walletId: wallet,
    type: 'PAYMENT',
    status: 'NEW',
    amount: cents(1000),
    currency: 'EUR',
    channel: 'API',
    createdAt: at,
    ...given,
  }
}

describe.each(databaseKinds)('on %s', (kind) => {
  const start = starts[kind]
  let database: Database
  /** By name; the newest last. */
  const made = new Map<string, string>()

  beforeAll(async () => {
    database = await openTestDatabase(kind)
    const operations: Record<string, Partial<NewOperation>> = {
      plain: {},
      card: { method: 'CC', card: { last4: '0027', type: 'visa' } as never, extInvoiceId: 'INV-77' },
      reference: { method: 'MB', mb: { entity: '11249', ref: '123456789' }, amount: cents(2550), store: 7n },
      phone: { method: 'MBWAY', phone: '+351912345678', extCustomerId: 'Cliente 9' },
      mail: { client: { email: 'Ana@Example.com' }, amount: cents(99_999) },
      authorization: { type: 'AUTH', method: 'CC', channel: 'SCHEDULE' },
      refund: { type: 'REFUND', method: 'CC', amount: cents(-2550) },
    }
    let minutes = 0
    for (const [name, given] of Object.entries(operations)) {
      const operation = operationAt(instant(start + ++minutes * 60_000), given)
      made.set(name, operation.id)
      await insertOperations(database, [{ operation, claim: undefined }])
    }
    const foreign = operationAt(instant(start + 60_000), { walletId: 1002n, extInvoiceId: 'INV-77' })
    await insertOperations(database, [{ operation: foreign, claim: undefined }])
  })
  afterAll(() => database.close())

  async function namesOf(search: OperationSearch, limit = 30): Promise<string[]> {
    const { operations } = await searchOperations(database, wallet, search, { limit })
    return operations.map(({ id }) => [...made].find(([, known]) => known === id)?.[0] ?? id)
  }

  it.each<[string, OperationSearch, string[]]>([
    ['nothing', {}, ['refund', 'authorization', 'mail', 'phone', 'reference', 'card', 'plain']],
    ['type', { types: ['AUTH', 'REFUND'] }, ['refund', 'authorization']],
    ['status', { statuses: ['COMPLETED'] }, []],
    ['method', { methods: ['CC'], types: ['PAYMENT'] }, ['card']],
    ['channel', { channels: ['SCHEDULE'] }, ['authorization']],
    ['store', { stores: [7n] }, ['reference']],
    ['from', { from: instant(start + 6 * 60_000) }, ['refund', 'authorization']],
    ['until', { until: instant(start + 2 * 60_000) }, ['plain']],
    ['least amount', { amountMin: cents(2550) }, ['refund', 'mail', 'reference']],
    [
      'most amount',
      { amountMax: cents(2550), methods: ['CC', 'MB'] },
      ['refund', 'authorization', 'reference', 'card'],
    ],
    ['one amount', { amountMin: cents(2550), amountMax: cents(2550) }, ['refund', 'reference']],
    ['invoice, in any case', { text: 'inv-77' }, ['card']],
    ['the beginning of an invoice', { text: 'INV' }, ['card']],
    ['card', { text: '0027' }, ['card']],
    ['reference', { text: '123 456 789' }, ['reference']],
    ['entity and reference', { text: '11249 123456789' }, ['reference']],
    ['phone', { text: '912345678' }, ['phone']],
    ['phone with its country', { text: '+351 912 345 678' }, ['phone']],
    ['customer', { text: 'cliente 9' }, ['phone']],
    ['e-mail', { text: 'ana@example' }, ['mail']],
    ['amount', { text: '25,50' }, ['refund', 'reference']],
    ['amount and type', { text: '25.50 €', types: ['PAYMENT'] }, ['reference']],
    ['text and amount', { text: 'inv-77', amountMin: cents(1001) }, []],
    ['nobody', { text: 'nobody' }, []],
  ])('finds by %s', async (_, search, names) => {
    expect(await namesOf(search)).toEqual(names)
  })

  it('finds by an id, whole or its beginning', async () => {
    const id = made.get('phone') as string
    expect(await namesOf({ text: id.toUpperCase() })).toEqual(['phone'])
    expect(await namesOf({ text: id.slice(0, 12) })).toContain('phone')
    expect(await namesOf({ text: id, types: ['REFUND'] })).toEqual([])
  })

  it('continues after the last of a page, without a gap or repetition', async () => {
    const pages: string[][] = []
    let after: string | undefined
    do {
      const { operations, next } = await searchOperations(database, wallet, {}, { limit: 3, after })
      pages.push(operations.map(({ id }) => id))
      after = next
    } while (after !== undefined)
    expect(pages.map(({ length }) => length)).toEqual([3, 3, 1])
    expect(new Set(pages.flat())).toEqual(new Set(made.values()))
  })

  it('finds the newest state', async () => {
    const id = made.get('plain') as string
    await database.run(
      statement(`
        update operations set status = 'FAIL', method = 'MBWAY', phone = '+351930000000', settled_at = now(),
          modified_at = now()
        where wallet_id = $1 and id = $2`),
      [wallet, id],
    )
    expect(await namesOf({ statuses: ['FAIL'] })).toEqual(['plain'])
    expect(await namesOf({ statuses: ['NEW'], methods: ['MBWAY'] })).toEqual(['phone'])
    expect(await namesOf({ text: '930000000' })).toEqual(['plain'])
    for (const check of searchChecks) expect((await check.run(database)).findings).toEqual([])
  })

  it('indexes a batch of operations, however many one statement changed', async () => {
    const changed = 2300
    await database.run(
      statement(`
        insert into operations (id, wallet_id, type, status, amount, currency, channel, created_at, modified_at)
        select gen_random_uuid(), 1003, 'PAYMENT', 'NEW', 1000, 'EUR', 'API', now(), now()
        from generate_series(1, $1)`),
      [changed],
    )
    const indexed = statement<{ rows: bigint }>(
      'select count(*) as rows from operation_index where wallet_id = 1003',
    )
    const taken = [0]
    while (await hasChanged(database)) {
      expect(await indexChanges(database, 800)).not.toBe('busy')
      taken.push(Number((await database.run(indexed))[0]?.rows))
    }
    expect(taken).toHaveLength(4)
    expect(taken.at(-1)).toBe(changed)
    // They are listed by 500, which are indexed together.
    for (const [at, rows] of taken.entries()) expect(rows - (taken[at - 1] ?? 0)).toBeLessThan(800 + 500)
  })
})

it('a search does not wait for another process that is indexing', async () => {
  const database = await openTestDatabase('postgres')
  await insertOperations(database, [{ operation: operationAt(starts.postgres), claim: undefined }])
  const search = () => searchOperations(database, wallet, {}, { limit: 3 })
  await database.transaction(async (other) => {
    await other.run(statement(`select pg_advisory_xact_lock(hashtext('changed_operations'))`))
    expect(await indexChanges(database, 1)).toBe('busy')
    const found = await Promise.all(Array.from({ length: 20 }, search))
    expect(found.map(({ operations }) => operations.length)).toEqual(Array(20).fill(0))
  })
  expect((await search()).operations).toHaveLength(1)
  await database.close()
})

it('a long dump hides nothing from a search', async () => {
  const database = await openTestDatabase('postgres')
  const make = () =>
    insertOperations(database, [{ operation: operationAt(starts.postgres), claim: undefined }])
  await make()
  await database.transaction(async (dump) => {
    await dump.run(statement('set transaction isolation level repeatable read'))
    const noted = statement<{ rows: bigint }>('select count(*) as rows from changed_operations')
    expect(await dump.run(noted)).toEqual([{ rows: 1n }])
    for (let count = 2; count <= 20; count++) {
      await make()
      const { operations } = await searchOperations(database, wallet, {}, { limit: 50 })
      expect(operations).toHaveLength(count)
    }
    expect(await hasChanged(database)).toBe(false)
    // Its changes are indexed after it is restored.
    expect(await dump.run(noted)).toEqual([{ rows: 1n }])
  })
  for (const check of searchChecks) expect((await check.run(database)).findings).toEqual([])
  await database.close()
})
