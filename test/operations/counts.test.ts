// The totals of long lists are exact at every moment, and no read counts the rows.

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cents } from '../../src/kernel/money.ts'
import { systemClock } from '../../src/kernel/time.ts'
import { insertOperations, listOperations } from '../../src/operations/for-movements.ts'
import type { OperationType } from '../../src/operations/model.ts'
import { createCountRollup, mergeCounts } from '../../src/operations/read/counts.ts'
import { hasChanged } from '../../src/operations/search/indexer.ts'
import { type Database, openPostgres, statement } from '../../src/storage/index.ts'
import { databaseKinds, openTestDatabase } from '../database.ts'
import { openWorld } from '../gateway-here.ts'
import type { World } from '../world.ts'

const newOperation = (walletId: bigint, type: OperationType) => ({
  operation: {
    id: randomUUID(),
    walletId,
    type,
    status: 'NEW' as const,
    amount: cents(1000),
    currency: 'EUR' as const,
    channel: 'API' as const,
    createdAt: systemClock.now(),
  },
  claim: undefined,
})

describe.each(databaseKinds)('on %s', (kind) => {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase(kind)
  })
  afterAll(() => database.close())

  it('a total is exact while others open operations and the counts are merged', async () => {
    const page = { offset: 0, limit: 1 }
    const totalOf = async (walletId: bigint, types?: OperationType[]) =>
      (await listOperations(database, walletId, { types }, page)).total
    let opened = 0
    let asking = true
    async function open() {
      for (let round = 0; round < 40; round++) {
        const payments = [newOperation(1001n, 'PAYMENT'), newOperation(1001n, 'PAYMENT')]
        await insertOperations(database, [
          ...payments,
          newOperation(1001n, 'AUTH'),
          newOperation(1002n, 'AUTH'),
        ])
        opened += 1
      }
    }
    async function merge() {
      while (asking) await mergeCounts(database, 5)
    }
    async function ask() {
      for (let last = 0; asking; ) {
        const before = opened
        const total = await totalOf(1001n)
        expect(total).toBeGreaterThanOrEqual(Math.max(last, 3 * before))
        last = total
      }
    }
    const others = [merge(), merge(), ask()]
    await Promise.all([open(), open(), open()]).finally(() => {
      asking = false
    })
    await Promise.all(others)
    expect(await totalOf(1001n)).toBe(360)
    expect(await totalOf(1001n, ['PAYMENT'])).toBe(240)
    expect(await totalOf(1001n, ['AUTH', 'REFUND'])).toBe(120)
    expect(await totalOf(1002n)).toBe(120)
    expect(await totalOf(1003n)).toBe(0)
    expect(await mergeCounts(database, 1)).toBeLessThan(360)
    expect(await mergeCounts(database, 1)).toBe(0)
    expect(await totalOf(1001n)).toBe(360)
  })
})

it('the embedded database needs no more room, however many counts were merged', async () => {
  const database = await openTestDatabase('pglite')
  const merger = createCountRollup({
    clock: systemClock,
    database,
    onError: (error) => {
      throw error
    },
  })
  const addCounts = statement(`
    insert into operation_counts (wallet_id, type, operations) select 1001, 'PAYMENT', 1 from generate_series(1, $1)`)
  const selectSize = statement<{ size: bigint }>(`select pg_relation_size('operation_counts') as size`)
  const sizes: bigint[] = []
  for (let round = 0; round < 10; round++) {
    await database.run(addCounts, [1000])
    await merger.runDue()
    sizes.push((await database.run(selectSize))[0]?.size ?? 0n)
  }
  expect(sizes.at(-1)).toBeLessThanOrEqual(3n * (sizes[0] ?? 0n))
  await database.close()
})

const endIdle = statement(`
  select pg_terminate_backend(pid, 60000) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and state = 'idle' and query !~* '^listen'`)

/** A session reports its reads when it ends. An idle one may take ten seconds. */
async function endIdleSessions(database: Database): Promise<void> {
  await database.run(statement('select pg_stat_force_next_flush()'))
  await database.run(endIdle)
}

describe('over HTTP', () => {
  let world: World
  let database: Database
  beforeAll(async () => {
    world = await openWorld('postgres')
    database = openPostgres({ url: world.databaseUrl as string })
  })
  afterAll(async () => {
    await database.close()
    await world.stop()
  })

  it('a list of 20 000 operations reads as many rows as it shows', async () => {
    const wallet = world.shop.wallet_id
    await database.run(
      statement(`
        with opened as (
          insert into operations (id, wallet_id, type, status, amount, currency, channel, created_at, modified_at)
          select gen_random_uuid(), $1, 'PAYMENT', 'NEW', 1000, 'EUR', 'API', now(), now()
          from generate_series(1, 20000)
          returning wallet_id
        )
        insert into operation_counts (wallet_id, type, operations) select wallet_id, 'PAYMENT', count(*) from opened
        group by wallet_id`),
      [wallet],
    )
    // The search index reads the same table, so this waits until it is done.
    await world.eventually(async () => !(await hasChanged(database)))
    await database.run(statement('vacuum analyze operations'))
    const read = statement<{ rows: bigint; scans: bigint }>(`
      select sum(idx_tup_read)::bigint + (select seq_tup_read from pg_stat_user_tables where relname = 'operations')
        as rows, sum(idx_scan)::bigint as scans
      from pg_stat_user_indexes where relname = 'operations'`)
    const look = async () => (await database.run(read))[0] ?? { rows: 0n, scans: 0n }
    await endIdleSessions(database)
    const before = await look()
    for (let n = 0; n < 5; n++) {
      const { body } = await world.shop.get('/api/v2/operations?limit=30')
      expect(body.total).toBe(20_000)
      expect(body.elements).toHaveLength(30)
    }
    const after = await world.eventually(async () => {
      await endIdleSessions(database)
      const now = await look()
      return now.scans >= before.scans + 5n && now
    })
    expect(Number(after.rows - before.rows)).toBeLessThan(1000)
    expect((await world.shop.get('/api/v2/operations?method=CC')).body.total).toBe(0)
    expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  })
})
