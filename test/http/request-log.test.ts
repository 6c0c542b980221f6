// The request log is written after the answers. A slow database delays only the log, and a missing one stops no
// request.
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as pause, setImmediate } from 'node:timers/promises'
import pg from 'pg'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../src/kernel/time.ts'
import { packRequests } from '../../src/request-log/blocks.ts'
import { type Collector, createCollector } from '../../src/request-log/collect.ts'
import { insertBlocks } from '../../src/request-log/store.ts'
import { type Database, migrate, openPostgres, statement } from '../../src/storage/index.ts'
import { type PostgresServer, startPostgres } from '../postgres-server.ts'

let server: PostgresServer
let database: Database
let other: pg.Client
const errors: unknown[] = []
const metrics = new Registry()

beforeAll(async () => {
  server = await startPostgres({ settings: ['fsync=off'] })
  await server.createDatabase('log')
  const url = server.url('log')
  database = openPostgres({ url })
  await migrate(database)
  other = new pg.Client({ connectionString: url })
  other.on('error', () => undefined)
  await other.connect()
})
afterAll(async () => {
  await other.end()
  await database.close()
  await server.stop()
})

function collector(lingerMs: number): Collector {
  errors.length = 0
  metrics.clear()
  return createCollector({
    database,
    clock: systemClock,
    metrics,
    lingerMs,
    retryMs: 50,
    onError: (e) => errors.push(e),
  })
}

/** Notes a request of the wallet, as the HTTP layer does. */
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

const count = statement<{ rows: bigint }>(
  'select sum(requests) as rows from request_log_blocks where wallet_id = $1',
)
const waiting = statement<{ waits: boolean }>(
  `select exists (select from pg_locks where relation = 'request_log_blocks'::regclass and not granted) as waits`,
)
const isWaiting = async () => (await database.run(waiting))[0]?.waits
const rowsOf = async (walletId: bigint) => Number((await database.run(count, [walletId]))[0]?.rows)
const dropped = async () =>
  (await metrics.getSingleMetric('comporta_request_log_dropped_total')?.get())?.values

it('continues after a statement that took longer than the linger time', async () => {
  const lingerMs = 20
  const log = collector(lingerMs)
  await other.query('begin; lock table request_log_blocks in exclusive mode')
  note(log, 1n)
  await expect.poll(isWaiting).toBe(true)
  note(log, 1n)
  // The time of the second one is over while the first is being written: timers of the same length keep their order.
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
    await expect.poll(() => rowsOf(2n)).toBe(50 + 200 * round)
  }
  await log.flush()
  expect(await rowsOf(2n)).toBe(1450)
  expect(await dropped()).toMatchObject([{ value: 0 }])
})

it('writes a block once, also if its first answer was lost', async () => {
  const request = { id: randomUUID(), walletId: 5n, keyId: 'key', method: 'GET', route: '/x' }
  const block = packRequests([
    { ...request, path: '/x', status: 200, durationMs: 1, answeredAt: systemClock.now() },
  ])
  await insertBlocks(database, [block])
  await insertBlocks(database, [block])
  expect(await rowsOf(5n)).toBe(1)
})

it('keeps requests while PostgreSQL is away, and writes them once it is back', async () => {
  const log = collector(20)
  for (let n = 0; n < 10; n++) note(log, 3n)
  await server.interrupt()
  for (let n = 0; n < 990; n++) note(log, 3n, { text: randomUUID() })
  await expect.poll(() => errors.length).toBeGreaterThan(0)
  await server.resume()
  await expect.poll(() => rowsOf(3n).catch(() => 0)).toBe(1000)
  expect(await dropped()).toMatchObject([{ value: 0 }])
})

it('drops and counts what exceeds its memory while PostgreSQL is away', async () => {
  const log = collector(20)
  await server.interrupt()
  const total = 9000
  for (let n = 0; n < total; n++) {
    note(log, 4n, { text: randomBytes(4000).toString('hex') })
    if (n % 200 === 199) await expect.poll(() => errors.length).toBeGreaterThan(0)
    if (n % 200 === 199) await setImmediate()
  }
  await server.resume()
  await expect
    .poll(async () => (await rowsOf(4n).catch(() => 0)) + ((await dropped())?.[0]?.value ?? 0))
    .toBe(total)
  expect((await dropped())?.[0]?.value).toBeGreaterThan(0)
  expect(await rowsOf(4n)).toBeGreaterThan(1000)
})
