// The search for operations: every filter and text, pages, and only one wallet.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cents } from '../../src/kernel/money.ts'
import { newId, systemRandomness } from '../../src/kernel/random.ts'
import { type Instant, instant } from '../../src/kernel/time.ts'
import { insertOperations } from '../../src/operations/for-movements.ts'
import { type NewOperation, type OperationSearch, searchOperations } from '../../src/operations/index.ts'
import { searchChecks } from '../../src/operations/search/audit.ts'
import { hasChanged, indexChanges } from '../../src/operations/search/indexer.ts'
import { type Database, migrate, openPostgres, statement } from '../../src/storage/index.ts'
import { coreMigrations } from '../../src/storage/migrations/index.ts'
import { createEmptyPostgresDatabase, databaseKinds, openTestDatabase } from '../database.ts'

const wallet = 1001n
const [payment, link, subscription, checkout] = Array.from({ length: 4 }, () => randomUUID()) as [
  string,
  string,
  string,
  string,
]
/** Other tests may use later times, so this test has its own source of ids. */
const random = { ...systemRandomness }
/** Ids never go back in time, so the tests of the second database use later times. */
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
  /** Ids of operations by name, the newest last. */
  const made = new Map<string, string>()

  beforeAll(async () => {
    database = await openTestDatabase(kind)
    const operations: Record<string, Partial<NewOperation>> = {
      plain: {},
      card: { method: 'CC', card: { last4: '0027', type: 'visa' } as never, extInvoiceId: 'INV-77' },
      reference: { method: 'MB', mb: { entity: '11249', ref: '123456789' }, amount: cents(2550), store: 7n },
      phone: { method: 'MBWAY', phone: '+351912345678', extCustomerId: 'Cliente 9' },
      mail: {
        ...{ client: { email: 'Ana@Example.com' }, amount: cents(99_999) },
        ...{ paymentLinkId: link, subscriptionId: subscription },
      },
      authorization: { type: 'AUTH', method: 'CC', channel: 'SCHEDULE' },
      refund: { type: 'REFUND', method: 'CC', amount: cents(-2550), parentId: payment },
    }
    let minutes = 0
    for (const [name, given] of Object.entries(operations)) {
      const operation = operationAt(instant(start + ++minutes * 60_000), given)
      made.set(name, operation.id)
      await insertOperations(database, [{ operation, claim: undefined }])
    }
    const foreign = operationAt(instant(start + 60_000), { walletId: 1002n, extInvoiceId: 'INV-77' })
    await insertOperations(database, [{ operation: foreign, claim: undefined }])
    await database.run(
      statement(`
        insert into checkouts (id, wallet_id, kind, operation_id, url_confirm, url_cancel, expires_at, created_at)
        values ($1, $2, 'payment', $3, '', '', now(), now())`),
      [checkout, wallet, made.get('phone')],
    )
    await database.run(
      statement(`
        insert into wallets (id, public_id, kind, name, email, pin_digest, created_at, modified_at) overriding system value
        values ($1, 'w', 'consumer', 'Ana', 'ana@example.com', '', now(), now())`),
      [wallet],
    )
    await database.run(
      statement(`
        insert into payment_links (id, wallet_id, code, description, amount, currency, created_at)
        values ($1, $2, $3, 'Link', 100, 'EUR', now())`),
      [link, wallet, 'a'.repeat(22)],
    )
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

  it('finds by the id of a parent, a checkout, a subscription, a payment link', async () => {
    expect(await namesOf({ text: payment })).toEqual(['refund'])
    expect(await namesOf({ text: checkout })).toEqual(['phone'])
    expect(await namesOf({ text: checkout.slice(0, 13) })).toEqual(['phone'])
    for (const id of [subscription, link]) expect(await namesOf({ text: id })).toEqual(['mail'])
  })

  it('finds all payments of a link, page after page', async () => {
    const [many, seller] = [randomUUID(), 1005n]
    await database.run(
      statement(`
        insert into wallets (id, public_id, kind, name, email, pin_digest, created_at, modified_at) overriding system value
        values ($1, 'v', 'consumer', 'Rui', 'rui@example.com', '', now(), now())`),
      [seller],
    )
    await database.run(
      statement(`
        insert into payment_links (id, wallet_id, code, description, amount, currency, created_at)
        values ($1, $2, $3, 'Link', 100, 'EUR', now())`),
      [many, seller, 'b'.repeat(22)],
    )
    await database.run(
      statement(`
        insert into operations (id, wallet_id, type, status, amount, currency, channel, payment_link_id, created_at, modified_at)
        select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $1, 'PAYMENT', 'NEW', 70000, 'EUR', 'PAYLINK',
          $2, now(), now()
        from generate_series(1, 120) as n`),
      [seller, many],
    )
    const found: string[] = []
    let after: string | undefined
    do {
      const page = await searchOperations(database, seller, { text: many }, { limit: 50, after })
      found.push(...page.operations.map(({ id }) => id))
      after = page.next
    } while (after !== undefined)
    expect(found).toHaveLength(120)
    expect(found).toEqual([...new Set(found)].sort().reverse())
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

  it('counts a bounded number of operations in a batch, however many one statement changed', async () => {
    const changed = 9000
    await database.run(
      statement(`
        insert into operations (id, wallet_id, type, status, amount, currency, channel, created_at, modified_at)
        select gen_random_uuid(), 1003, 'PAYMENT', 'NEW', 1000, 'EUR', 'API', now(), now()
        from generate_series(1, $1)`),
      [changed],
    )
    const counted = statement<{ rows: bigint; largest: number }>(`
      select coalesce(sum(operations), 0)::bigint as rows, coalesce(max(operations), 0) as largest
      from operation_blocks where wallet_id = 1003`)
    const taken = [0]
    while (await hasChanged(database)) {
      expect(await indexChanges(database, 800)).not.toBe('busy')
      taken.push(Number((await database.run(counted))[0]?.rows))
    }
    expect(taken.at(-1)).toBe(changed)
    for (const [at, rows] of taken.entries()) expect(rows - (taken[at - 1] ?? 0)).toBeLessThanOrEqual(2000)
    expect((await database.run(counted))[0]?.largest).toBeLessThanOrEqual(48)
    for (const check of searchChecks) expect((await check.run(database)).findings).toEqual([])
  })

  it('finds the operations of many blocks, by every filter, as they are', async () => {
    const insert = statement(`
      insert into operations (id, wallet_id, type, status, amount, currency, channel, created_at, modified_at, settled_at)
      select (lpad(to_hex($1::bigint + n * 1000), 12, '0') || '70008' || substr(md5(n::text), 1, 15))::uuid, 1004,
        'PAYMENT', case when n % 70 = 0 then 'FAIL' else 'NEW' end, 100 + n % 300, 'EUR', 'API',
        to_timestamp(($1::bigint + n * 1000) / 1000.0), now(), case when n % 70 = 0 then now() end
      from generate_series(1, 1000) as n`)
    await database.run(insert, [start + 10_000_000])
    const page = async (search: OperationSearch, after?: string) =>
      searchOperations(database, 1004n, search, { limit: 20, after })
    async function all(search: OperationSearch) {
      const found: string[] = []
      let after: string | undefined
      do {
        const { operations, next } = await page(search, after)
        found.push(...operations.map(({ id }) => id))
        after = next
      } while (after !== undefined)
      return found
    }
    const ids = await all({})
    expect(ids).toHaveLength(1000)
    expect(ids).toEqual([...ids].sort().reverse())
    const failed = await all({ statuses: ['FAIL'] })
    expect(failed).toEqual(ids.filter((_, place) => (1000 - place) % 70 === 0))
    const amount = cents(250)
    expect(await all({ amountMin: amount, amountMax: amount })).toHaveLength(3)
    expect(await all({ text: '2.50' })).toHaveLength(3)
    expect(await all({ amountMin: cents(150), amountMax: cents(159) })).toHaveLength(40)
    const [from, until] = [instant(start + 10_300_000), instant(start + 10_400_000)]
    expect(await all({ from, until })).toEqual(ids.slice(601, 701))
    expect(await all({ from, until, statuses: ['FAIL'] })).toHaveLength(1)
    await database.run(
      statement(
        `update operations set status = 'VOIDED', settled_at = now() where wallet_id = 1004 and id = any($1::uuid[])`,
      ),
      [failed.slice(0, 9)],
    )
    // Even if a count is out of date, no page is too short.
    const stale = await database.transaction(async (tx) => {
      await tx.run(statement(`select pg_advisory_xact_lock(hashtext('changed_operations'))`))
      return kind === 'postgres' ? (await page({ statuses: ['FAIL'] })).operations.length : failed.length - 9
    })
    expect(stale).toBe(failed.length - 9)
    expect(await all({ statuses: ['FAIL'] })).toEqual(failed.slice(9))
    expect(await all({ statuses: ['VOIDED'] })).toEqual(failed.slice(0, 9))
    for (const check of searchChecks) expect((await check.run(database)).findings).toEqual([])
  })
})

it('an upgrade finds the operations of the version before, the newest first', async () => {
  const database = openPostgres({ url: await createEmptyPostgresDatabase() })
  const before = Object.entries(coreMigrations.steps).filter(([name]) => name < '0003')
  await migrate(database, { steps: Object.fromEntries(before) })
  await database.run(
    statement(`
      insert into wallets (id, public_id, kind, name, email, pin_digest, created_at, modified_at) overriding system value
      values (1001, 'w', 'consumer', 'Ana', 'ana@example.com', '', now(), now())`),
  )
  await database.run(
    statement(`
      insert into operations (id, wallet_id, type, status, amount, currency, channel, created_at, modified_at)
      select (lpad(to_hex($1::bigint + n), 12, '0') || '70008' || substr(md5(n::text), 1, 15))::uuid, 1001,
        'PAYMENT', 'NEW', 1000, 'EUR', 'API', now(), now()
      from generate_series(1, 5500) as n`),
    [starts.postgres],
  )
  await database.run(statement(`insert into operation_days values (1001, '2026-03-02', 1, 5500, 5500000)`))
  await migrate(database)
  const newest = (await searchOperations(database, wallet, {}, { limit: 100 })).operations
  expect(newest).toHaveLength(100)
  const last = statement<{ id: string }>('select id from operations order by id desc limit 1')
  expect(await database.run(last)).toEqual([{ id: newest[0]?.id }])
  while (await hasChanged(database)) await indexChanges(database, 1000)
  expect((await searchOperations(database, wallet, {}, { limit: 6000 })).operations).toHaveLength(5500)
  for (const check of searchChecks) expect((await check.run(database)).findings).toEqual([])
  await database.close()
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
    const noted = statement<{ rows: bigint }>('select count(*) as rows from operation_changes')
    expect(await dump.run(noted)).toEqual([{ rows: 1n }])
    for (let count = 2; count <= 20; count++) {
      await make()
      const { operations } = await searchOperations(database, wallet, {}, { limit: 50 })
      expect(operations).toHaveLength(count)
    }
    expect(await hasChanged(database)).toBe(false)
    // The changes of the dump are indexed after it is restored.
    expect(await dump.run(noted)).toEqual([{ rows: 1n }])
  })
  for (const check of searchChecks) expect((await check.run(database)).findings).toEqual([])
  await database.close()
})
