// npm run bench: a real PostgreSQL, the gateway as its own process, load on it, and a bare loop beside it.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { freePort, startGatewayProcess } from '../test/gateway-process.ts'
import { startPostgres } from '../test/postgres-server.ts'
import { bareCheckout, runBareLoop } from './bare-loop.ts'
import { runLoad } from './load.ts'
import { type Measurement, tableOf } from './report.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '6' },
    connections: { type: 'string', default: '1,32,128' },
    json: { type: 'boolean', default: false },
  },
})
const seconds = Number(values.seconds)
const connectionCounts = values.connections.split(',').map(Number)
const warmUpSeconds = 3

const dataDir = mkdtempSync(join(tmpdir(), 'comporta-bench-'))
const postgres = await startPostgres({ settings: ['shared_buffers=256MB', 'max_wal_size=4GB'] })
await postgres.createDatabase('bench')
const databaseUrl = postgres.url('bench')
const port = await freePort()
const gateway = await startGatewayProcess({ dataDir, port, databaseUrl, environment: { RATE_LIMITS: 'off' } })
const measurements: Measurement[] = []
try {
  const demo = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8'))
  const [shop] = demo.merchants
  const headers = { authorization: `Comporta ${shop.api_key}`, 'content-type': 'application/json' }
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
  const create = {
    url: `${gateway.baseUrl}/api/v2/checkout`,
    method: 'POST',
    headers,
    body,
    pid: gateway.pid,
  } as const
  const first = await fetch(create.url, { method: 'POST', headers, body })
  const checkout = (await first.json()) as { id: string; payment: { id: string } }
  await runLoad({ ...create, connections: 32, seconds: warmUpSeconds })

  for (const connections of connectionCounts) {
    const bare = await runBareLoop(databaseUrl, connections, seconds, () => bareCheckout(shop.wallet_id))
    measurements.push({ what: 'bare loop: rows of a checkout', connections, ...bare, ratio: 1 })
    const created = await runLoad({ ...create, connections, seconds })
    const ratio = created.perSecond / bare.perSecond
    measurements.push({ what: 'POST /api/v2/checkout', connections, ...created, ratio })
    for (const path of [`/api/v2/checkout/${checkout.id}`, `/api/v2/operations/${checkout.payment.id}`]) {
      const what = `GET ${path.replace(/[^/]+$/, ':id')}`
      const url = gateway.baseUrl + path
      const read = await runLoad({ url, method: 'GET', headers, connections, seconds, pid: gateway.pid })
      measurements.push({ what, connections, ...read })
    }
  }
} finally {
  await gateway.stop()
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
process.stdout.write(values.json ? '' : `${tableOf(measurements)}\n\n`)
process.stdout.write(`${JSON.stringify({ seconds, measurements })}\n`)
