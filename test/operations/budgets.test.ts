// The cost of each kind of request in PostgreSQL, counted in log, rows, statements and commits. These are the same on
// every machine.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { openWorld } from '../gateway-here.ts'
import { type PostgresServer, startPostgres } from '../postgres-server.ts'
import { payByToken, storeCard } from '../stored-cards.ts'
import { cards, type World } from '../world.ts'
import { type Budget, budgets } from './budgets.ts'

const each = 100
const rounds = 8

let server: PostgresServer
let world: World
let sql: pg.Client
let token: string
/** Statements of workers that look for work every second, which belong to no request. */
let ofWorkers: readonly string[] = []

beforeAll(async () => {
  const settings = ['shared_preload_libraries=pg_stat_statements', 'fsync=off', 'full_page_writes=off']
  server = await startPostgres({ settings: [...settings, 'autovacuum=off'], parent: inject('scratch') })
  await server.createDatabase('budgets')
  sql = new pg.Client({ connectionString: server.url('budgets') })
  await sql.connect()
  await sql.query('create extension pg_stat_statements; create extension pg_walinspect')
  world = await openWorld({ databaseUrl: server.url('budgets') })
  token = await storeCard(world, cards.frictionless.number)
  await pay()
  await isQuiet()
  ofWorkers = await statementsOfWorkers()
})
afterAll(async () => {
  await world.stop()
  await sql.end()
  await server.stop()
})

/** Waits for a whole period of the workers that run every second. */
async function statementsOfWorkers(): Promise<string[]> {
  await sql.query('select pg_stat_statements_reset()')
  const seen = async () =>
    (await sql.query('select queryid::text as id, calls from pg_stat_statements')).rows as {
      id: string
      calls: string
    }[]
  const polled = await world.eventually(async () => {
    const rows = await seen()
    return rows.some(({ calls }) => Number(calls) > 40) && rows
  })
  return polled.map(({ id }) => id)
}

async function isQuiet(): Promise<void> {
  await world.eventually(async () => {
    const { rows } = await sql.query(`
      select exists (select from operation_changes) or exists (select from deliveries where state = 'DUE') as busy`)
    return rows[0]?.busy === false
  })
}

async function costOf(count: number, act: () => Promise<unknown>): Promise<Budget> {
  await isQuiet()
  await sql.query('select pg_stat_statements_reset()')
  const { rows: start } = await sql.query('select pg_current_wal_insert_lsn() as at')
  await act()
  await isQuiet()
  // Writes a record at the end, because the log cannot be read without one.
  await sql.query("select pg_logical_emit_message(false, 'end', '')")
  const { rows: statements } = await sql.query(
    'select sum(calls)::float8 as calls from pg_stat_statements where queryid::text <> all ($1)',
    [ofWorkers],
  )
  const { rows: log } = await sql.query(
    `select sum(record_length) filter (where record_type !~ 'DELETE|PRUNE|VACUUM')::float8 as bytes,
      count(*) filter (where resource_manager = 'Transaction' and record_type = 'COMMIT')::float8 as commits,
      count(*) filter (
        where resource_manager in ('Heap', 'Heap2') and record_type ~ '^(HOT_)?(INSERT|UPDATE)'
      )::float8 as rows
    from pg_get_wal_records_info($1, pg_current_wal_insert_lsn())`,
    [start[0].at],
  )
  const [{ bytes, commits, rows }] = log
  const each = (total: number) => Math.round((total / count) * 100) / 100
  return {
    bytes: Math.round(bytes / count),
    rows: each(rows),
    statements: each(statements[0].calls),
    commits: each(commits),
  }
}

const pay = (change = {}) => payByToken(world, token, { callback: world.receiver.url('/paid'), ...change })
const payWithKey = () => pay({ request_id: randomUUID() })
const checkOut = () => world.createCheckout()

async function oneByOne<T>(of: readonly T[], act: (one: T) => Promise<unknown>): Promise<void> {
  for (const one of of) await act(one)
}
const alone = (act: () => Promise<unknown>) => () => oneByOne(Array(each), act)
/** Runs 64 at once, several times. The first round opens the connections and does not count. */
async function together(act: () => Promise<unknown>) {
  const round = () => Promise.all(Array.from({ length: 64 }, () => act()))
  await round()
  return () => oneByOne(Array(rounds), round)
}

it.each<[keyof typeof budgets, number, () => Promise<() => Promise<unknown>>]>([
  ['a payment, alone', each, async () => alone(() => pay())],
  ['a payment, of 64 at once', 64 * rounds, () => together(() => pay())],
  ['a payment with an idempotency key, alone', each, async () => alone(payWithKey)],
  ['a payment with an idempotency key, of 64 at once', 64 * rounds, () => together(payWithKey)],
  ['a checkout, alone', each, async () => alone(checkOut)],
  [
    'a checkout for a customer, alone',
    each,
    async () => {
      const { id } = (await world.shop.post('/api/v2/customers', {})).body
      return alone(() => world.createCheckout({ customer: { id } }))
    },
  ],
  ['a checkout, of 64 at once', 64 * rounds, () => together(checkOut)],
  [
    'a read, alone',
    5 * each,
    async () => {
      const { id } = await pay()
      return () => oneByOne(Array(5 * each), () => world.shop.get(`/api/v2/operations/${id}`))
    },
  ],
  [
    'a refund, alone',
    each,
    async () => {
      const paid = await Promise.all(Array.from({ length: each }, () => pay()))
      return () =>
        oneByOne(paid, ({ id }) => world.shop.post(`/api/v2/operations/${id}/refund`, { amount: 1 }))
    },
  ],
  [
    'a delivery that is sent again, alone',
    each,
    async () => {
      const { rows } = await sql.query('select wallet_id, event_id from deliveries limit $1', [each])
      return () =>
        oneByOne(rows, ({ wallet_id, event_id }) => world.cli('callbacks', 'resend', wallet_id, event_id))
    },
  ],
])('%s', async (name, count, prepare) => {
  const act = await prepare()
  const cost = await costOf(count, act)
  const budget: Budget = budgets[name]
  const above = (Object.keys(budget) as (keyof Budget)[]).filter((part) => cost[part] > budget[part])
  if (process.env.SHOW) console.log(name, JSON.stringify(cost))
  expect({ above, cost }).toEqual({ above: [], cost })
})
