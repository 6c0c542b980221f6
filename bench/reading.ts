// Checkouts and reads, in a small wallet and in a large one.
import { accepted, asFastAs, type GoalOf } from './goals.ts'
import { firstShop, type Machine, warmUp } from './machine.ts'
import { type Measurement, measure, measureEach, requestText } from './measure.ts'
import type { PartOptions } from './paying.ts'
import { headersOf, type Shop } from './shop.ts'

/** The callers read these one after the other, so two calls in a row never read the same. */
const readInTurn = 100
/** Each caller reads another page. A wallet with 1,000 operations has this many. */
const pagesInTurn = 32

const checkout = {
  payment: {
    amount: 10,
    currency: 'EUR',
    ext_invoiceid: 'BENCH-1',
    items: [{ name: 'T-shirt', qt: 1, descr: 'Blue' }],
    client: { name: 'Ana Silva', email: 'ana@example.com' },
  },
  url_confirm: 'https://shop.example/ok',
  url_cancel: 'https://shop.example/no',
}

export async function checkouts({ machine, seconds, connections = [128, 32], bareOf }: PartOptions) {
  const goals: Readonly<Record<number, GoalOf>> = { 128: accepted(10_000), 32: accepted(6_000) }
  const request = requestText('POST', '/api/v2/checkout', firstShop(machine), checkout)
  await warmUp(machine, [request], 2)
  return measureEach(connections, (count) => {
    const row = { what: 'checkouts', connections: count, requests: [request], seconds }
    return measure(machine, { ...row, bare: bareOf?.(count), goal: goals[count] })
  })
}

export async function reads({ machine, seconds, connections = [32] }: PartOptions) {
  const shop = firstShop(machine)
  const made = await Promise.all(
    Array.from({ length: readInTurn }, async () => {
      const answer = await fetch(`${shop.baseUrl}/api/v2/checkout`, {
        method: 'POST',
        headers: headersOf(shop),
        body: JSON.stringify(checkout),
      })
      return (await answer.json()) as { id: string; payment: { id: string } }
    }),
  )
  const get = (path: string) => requestText('GET', path, shop)
  const kinds = [
    ['GET an operation', made.map(({ payment }) => get(`/api/v2/operations/${payment.id}`)), 9000],
    ['GET a checkout', made.map(({ id }) => get(`/api/v2/checkout/${id}`)), 9000],
    ['GET a list of 30', [get('/api/v2/operations?limit=30')], 2500],
  ] as const
  const rows: Measurement[] = []
  for (const count of connections) {
    for (const [what, requests, goal] of kinds) {
      await warmUp(machine, requests)
      rows.push(await measure(machine, { what, connections: count, requests, seconds, goal: accepted(goal) }))
    }
  }
  return rows
}

export async function healthz({ machine, seconds }: PartOptions): Promise<Measurement[]> {
  const requests = [requestText('GET', '/healthz', firstShop(machine))]
  await warmUp(machine, requests)
  return [await measure(machine, { what: 'yardstick: GET /healthz', connections: 32, requests, seconds })]
}

const sizes = { small: 1_000, large: 1_000_000 } as const

export async function largeWallets({ machine, seconds, connections = [32] }: PartOptions) {
  const { postgres, shops } = machine
  const [small, large] = shops.slice(1)
  if (postgres === undefined || small === undefined || large === undefined) return []
  const rows: Measurement[] = []
  for (const [size, shop] of [
    [sizes.small, small],
    [sizes.large, large],
  ] as const) {
    await postgres.sql.query(fillSql, [shop.wallet_id, size])
    await postgres.sql.query(countSql, [shop.wallet_id, size])
  }
  await postgres.sql.query('vacuum analyze operations')
  for (const count of connections) {
    for (const kind of ['list', 'read'] as const) {
      let [ofSmall, ofLarge] = [await ofWallet(small, kind, count), await ofWallet(large, kind, count)]
      ofSmall = faster(ofSmall, await ofWallet(small, kind, count))
      ofLarge = faster(ofLarge, await ofWallet(large, kind, count))
      rows.push(ofSmall, { ...ofLarge, goal: asFastAs(ofSmall, 1.3)(ofLarge) })
    }
  }
  return rows

  async function ofWallet(shop: Shop, kind: 'list' | 'read', count: number): Promise<Measurement> {
    const requests = await readsOf(machine, shop, kind)
    await warmUp(machine, requests)
    const name = kind === 'list' ? 'GET a list of 30, another page each' : 'GET an operation'
    const what = `${name}, ${shop === small ? sizes.small : sizes.large} in the wallet`
    return measure(machine, { what, connections: count, requests, seconds: seconds / 2 })
  }
}

const faster = (one: Measurement, other: Measurement) => (one.perSecond > other.perSecond ? one : other)

async function readsOf(machine: Machine, shop: Shop, kind: 'list' | 'read'): Promise<string[]> {
  if (kind === 'list') return pagesOf(shop)
  const { rows } = await (machine.postgres as NonNullable<Machine['postgres']>).sql.query(
    'select id from operations where wallet_id = $1 order by id limit $2',
    [shop.wallet_id, readInTurn],
  )
  return rows.map(({ id }) => requestText('GET', `/api/v2/operations/${id}`, shop))
}

function pagesOf(shop: Shop): string[] {
  return Array.from({ length: pagesInTurn }, (_, offset) =>
    requestText('GET', `/api/v2/operations?limit=30&offset=${offset}`, shop),
  )
}

/** Completed payments of one year. As in the gateway, a later payment has a larger id. */
const fillSql = `
  insert into operations (id, wallet_id, type, status, method, amount, fee, currency, channel, ext_invoiceid,
    card, created_at, modified_at, settled_at)
  select
    (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7000' || '8' ||
      substr(md5(n::text || $1::bigint), 1, 15))::uuid,
    $1::bigint, 'PAYMENT', 'COMPLETED', 'CC', 1000, -25, 'EUR', 'API', 'BENCH-' || n,
    '{"last4": "0027", "type": "visa"}', at, at, at
  from generate_series(1, $2::integer) as n
  cross join lateral (select now() - (n * 365.0 / $2::integer) * interval '1 day' as at) as moment`

const countSql = `insert into operation_counts (wallet_id, type, operations) values ($1, 'PAYMENT', $2)`
