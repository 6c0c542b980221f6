// npm run bench: a real PostgreSQL, the gateway as its own process, load on it, and a bare loop beside it.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { freePort } from '../test/free-port.ts'
import { startGatewayProcess } from '../test/gateway-process.ts'
import { startPostgres } from '../test/postgres-server.ts'
import { startReceiver } from '../test/receiver.ts'
import { runBareLoop } from './bare-loop.ts'
import { bareAuthorizationAndCapture, bareCheckout, barePayment, bareReference } from './bare-rows.ts'
import { runCharges } from './charges.ts'
import { type LoadResult, runLoad } from './load.ts'
import { type Measurement, tableOf } from './report.ts'
import { accountsOf, type Shop, storeCard } from './shop.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '6' },
    connections: { type: 'string', default: '1,32,128' },
    only: { type: 'string', default: 'checkouts,payments,authorizations,references,charges' },
    json: { type: 'boolean', default: false },
  },
})
const seconds = Number(values.seconds)
const connectionCounts = values.connections.split(',').map(Number)
const parts = values.only.split(',')
const warmUpSeconds = 3

const dataDir = mkdtempSync(join(tmpdir(), 'comporta-bench-'))
const postgres = await startPostgres({ settings: ['shared_buffers=256MB', 'max_wal_size=4GB'] })
await postgres.createDatabase('bench')
const databaseUrl = postgres.url('bench')
const gateway = await startGatewayProcess({
  dataDir,
  port: await freePort(),
  databaseUrl,
  environment: { RATE_LIMITS: 'off' },
})
const receiver = await startReceiver()
const measurements: Measurement[] = []
const demo = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8'))
const shop: Shop = { baseUrl: gateway.baseUrl, ...demo.merchants[0] }
const headers = {
  authorization: `Comporta ${shop.api_key}`,
  'proxy-authorization': `ESBToken=${shop.esb_token}`,
  'content-type': 'application/json',
}

/** What a payment or an authorization by token asks for. */
async function byToken(): Promise<string> {
  return JSON.stringify({
    amount: 10,
    currency: 'EUR',
    method: 'CC',
    callback: receiver.url('/callbacks'),
    cardsecure_url_confirm: 'https://shop.example/ok',
    cardsecure_url_cancel: 'https://shop.example/no',
    card: { token: await storeCard(shop, headers) },
  })
}

interface Request {
  readonly path: string
  readonly body?: string
}

function load({ path, body }: Request, connections: number, forSeconds = seconds): Promise<LoadResult> {
  const url = gateway.baseUrl + path
  const common = { url, headers, connections, seconds: forSeconds, pid: gateway.pid }
  return runLoad(body === undefined ? { ...common, method: 'GET' } : { ...common, method: 'POST', body })
}

/** A bare loop, then the request that writes the same rows. */
async function compare(
  name: string,
  request: Request,
  connections: number,
  rows: Parameters<typeof runBareLoop>[3],
): Promise<void> {
  const bare = await runBareLoop(databaseUrl, connections, seconds, rows)
  measurements.push({ what: `bare loop: rows of ${name}`, connections, ...bare, ratio: 1 })
  const loaded = await load(request, connections)
  const ratio = loaded.perSecond / bare.perSecond
  measurements.push({ what: `POST ${request.path} (${name})`, connections, ...loaded, ratio })
}

async function checkouts(): Promise<void> {
  const body = JSON.stringify({
    payment: {
      amount: 10,
      currency: 'EUR',
      ext_invoiceid: 'BENCH-1',
      items: [{ name: 'T-shirt', qt: 1, descr: 'Blue' }],
      client: { name: 'Ana Silva', email: 'ana@example.com' },
    },
    url_confirm: 'https://shop.example/ok',
    url_cancel: 'https://shop.example/no',
  })
  const create = { path: '/api/v2/checkout', body }
  const first = await fetch(gateway.baseUrl + create.path, { method: 'POST', headers, body })
  const made = (await first.json()) as { id: string; payment: { id: string } }
  await load(create, 32, warmUpSeconds)
  for (const connections of connectionCounts) {
    await compare('a checkout', create, connections, () => bareCheckout(shop.wallet_id))
    for (const path of [`/api/v2/checkout/${made.id}`, `/api/v2/operations/${made.payment.id}`]) {
      const what = `GET ${path.replace(/[^/]+$/, ':id')}`
      measurements.push({ what, connections, ...(await load({ path }, connections)) })
    }
  }
}

async function references(): Promise<void> {
  const body = JSON.stringify({
    amount: 10,
    currency: 'EUR',
    method: 'MB',
    type: 'PAYMENT',
    ext_invoiceid: 'BENCH-1',
  })
  const pay = { path: '/api/v2/mb/pay', body }
  await load(pay, 32, warmUpSeconds)
  // Numbers of a range that the gateway does not hand out here.
  let number = 0
  for (const connections of connectionCounts) {
    await compare('a reference', pay, connections, () => bareReference(shop.wallet_id, number++))
  }
}

async function payments(): Promise<void> {
  const pay = { path: '/prows/v2/payment', body: await byToken() }
  await load(pay, 32, warmUpSeconds)
  const accounts = await accountsOf(databaseUrl, shop.wallet_id)
  for (const connections of connectionCounts) {
    await compare('a token payment', pay, connections, () =>
      barePayment(shop.wallet_id, accounts, receiver.url('/callbacks')),
    )
  }
}

/** Pairs: each connection authorizes, then captures what it authorized. */
async function authorizations(): Promise<void> {
  const body = await byToken()
  const idOf = /"id":"([^"]+)"/
  const requests = [
    {
      method: 'POST',
      path: '/prows/v2/authorization',
      body,
      onResponse(_status: number, text: string, context: { id?: string | undefined }) {
        context.id = idOf.exec(text)?.[1]
      },
    },
    {
      method: 'POST',
      body: '{}',
      setupRequest: (request: object, { id }: { id?: string }) => ({
        ...request,
        path: `/api/v2/authorizations/${id}/capture`,
      }),
    },
  ] as const
  const pairs = (connections: number, forSeconds: number) =>
    runLoad({
      url: gateway.baseUrl,
      method: 'POST',
      headers,
      requests: requests as never,
      connections,
      seconds: forSeconds,
      pid: gateway.pid,
    })
  await pairs(32, warmUpSeconds)
  const accounts = await accountsOf(databaseUrl, shop.wallet_id)
  for (const connections of connectionCounts) {
    const bare = await runBareLoop(databaseUrl, connections, seconds, () =>
      bareAuthorizationAndCapture(shop.wallet_id, accounts, receiver.url('/callbacks')),
    )
    const what = 'an authorization and its capture'
    measurements.push({ what: `bare loop: rows of ${what}`, connections, ...bare, ratio: 1 })
    const { perSecond: requestsPerSecond, ...loaded } = await pairs(connections, seconds)
    const perSecond = requestsPerSecond / 2
    const ratio = perSecond / bare.perSecond
    measurements.push({ what: `pairs of ${what}`, connections, perSecond, ...loaded, ratio })
  }
}

try {
  // Before the bare loops, whose rows are nobody's: this part ends with an audit.
  if (parts.includes('charges'))
    measurements.push(...(await runCharges({ shop, headers }, databaseUrl, dataDir)))
  if (parts.includes('checkouts')) await checkouts()
  if (parts.includes('payments')) await payments()
  if (parts.includes('references')) await references()
  if (parts.includes('authorizations')) await authorizations()
} finally {
  await gateway.stop()
  await receiver.close()
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
process.stdout.write(values.json ? '' : `${tableOf(measurements)}\n\n`)
process.stdout.write(`${JSON.stringify({ seconds, measurements })}\n`)
