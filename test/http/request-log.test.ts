// The request log with a slow or failing database.
import { randomUUID } from 'node:crypto'
import { setTimeout as pause, setImmediate } from 'node:timers/promises'
import pg from 'pg'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../src/kernel/time.ts'
import { type Collector, createCollector } from '../../src/request-log/collect.ts'
import { type Database, openPostgres, statement } from '../../src/storage/index.ts'
import { createPostgresDatabase } from '../database.ts'

let database: Database
let other: pg.Client
const errors: unknown[] = []
const metrics = new Registry()

beforeAll(async () => {
  const url = await createPostgresDatabase()
  database = openPostgres({ url })
  other = new pg.Client({ connectionString: url })
  await other.connect()
})
afterAll(async () => {
  await other.end()
  await database.close()
})

function collector(lingerMs: number): Collector {
  errors.length = 0
  metrics.clear()
  return createCollector({ database, clock: systemClock, metrics, lingerMs, onError: (e) => errors.push(e) })
}

function note(log: Collector, walletId: bigint, { text = '', status = 200 } = {}): void {
  const request = {
    id: randomUUID(),
    caller: { walletId, keyId: 'key' },
    headers: {},
    raw: { method: 'POST' },
    routeOptions: { url: '/x' },
    url: '/x',
    ip: '127.0.0.1',
    arrivedAt: performance.now(),
    body: { text },
  }
  log.note(request as never, { raw: { statusCode: status } } as never, JSON.stringify({ text }))
}

const count = statement<{ rows: bigint }>('select count(*) as rows from request_log where wallet_id = $1')
const waiting = statement<{ waits: boolean }>(
  `select exists (select from pg_locks where relation = 'request_log'::regclass and not granted) as waits`,
)
const isWaiting = async () => (await database.run(waiting))[0]?.waits
const rowsOf = async (walletId: bigint) => Number((await database.run(count, [walletId]))[0]?.rows)
const dropped = async () =>
  (await metrics.getSingleMetric('comporta_request_log_dropped_total')?.get())?.values

it('continues after a statement that was slower than the batch interval', async () => {
  const lingerMs = 20
  const log = collector(lingerMs)
  await other.query('begin; lock table request_log in exclusive mode')
  note(log, 1n)
  await expect.poll(isWaiting).toBe(true)
  note(log, 1n)
  // The second timer is over while the first write runs.
  await setImmediate()
  await pause(lingerMs)
  await other.query('commit')
  await expect.poll(() => rowsOf(1n)).toBe(2)
  note(log, 1n)
  await expect.poll(() => rowsOf(1n)).toBe(3)
  expect(errors).toEqual([])
})

it('counts what is not written yet, and nothing else', async () => {
  const log = collector(60_000)
  const text = 'x'.repeat(8000)
  for (let n = 0; n < 50; n++) note(log, 2n, { text })
  for (let round = 1; round <= 7; round++) {
    for (let n = 0; n < 200; n++) note(log, 2n, { text })
    await expect.poll(() => rowsOf(2n)).toBe(200 * round)
  }
  await log.flush()
  expect(await rowsOf(2n)).toBe(1450)
  expect(await dropped()).toMatchObject([{ value: 0 }])
})

it('drops one that the database does not take, and writes all others of its group', async () => {
  const log = collector(60_000)
  for (let n = 0; n < 21; n++) note(log, 3n, { status: n === 13 ? 2 ** 40 : 200 })
  await log.flush()
  expect(await rowsOf(3n)).toBe(20)
  expect(errors).toHaveLength(1)
  expect(await dropped()).toMatchObject([{ value: 1 }])
})
