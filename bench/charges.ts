// 10 000 charges of subscriptions: accepted over HTTP, processed by the gateway's workers, none lost.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { openPage, submit } from '../test/browserless.ts'
import type { Measurement } from './report.ts'
import type { Shop } from './shop.ts'

const chargesTotal = 10_000
/** A merchant's nightly run goes over many customers, each with an allowance of their own. */
const subscriptionsTotal = 50
const connections = 32
const processingMinutesMax = 8
const pollMs = 200

interface Api {
  readonly shop: Shop
  readonly headers: Record<string, string>
}

const run = promisify(execFile)
const cli = join(import.meta.dirname, '..', 'bin', 'comporta.js')

/** Accepts the charges over `connections` connections and waits until each has ended; then audits. */
export async function runCharges(api: Api, databaseUrl: string, dataDir: string): Promise<Measurement[]> {
  const ids: string[] = []
  for (let count = 0; count < subscriptionsTotal; count++) ids.push(await acceptedSubscription(api))
  const began = performance.now()
  const latencies: number[] = []
  let next = 0
  let failures = 0
  async function connection(): Promise<void> {
    while (next < chargesTotal) {
      const id = ids[next++ % ids.length]
      const sent = performance.now()
      const { status } = await fetch(`${api.shop.baseUrl}/api/v2/subscriptions/${id}/charge`, {
        method: 'POST',
        headers: api.headers,
        body: JSON.stringify({ payment: { amount: 0.5, currency: 'EUR', ext_invoiceid: `N-${next}` } }),
      })
      latencies.push(performance.now() - sent)
      if (status !== 200) failures += 1
    }
  }
  await Promise.all(Array.from({ length: connections }, connection))
  const accepted = performance.now()
  const lost = await untilProcessed(databaseUrl, chargesTotal - failures)
  const processed = performance.now()
  await audit(databaseUrl, dataDir)
  latencies.sort((first, second) => first - second)
  const p50Ms = latencies[Math.floor(latencies.length / 2)] ?? 0
  const p99Ms = latencies[Math.floor(latencies.length * 0.99)] ?? 0
  const perSecond = (end: number) => chargesTotal / ((end - began) / 1000)
  return [
    { what: 'charges accepted', connections, perSecond: perSecond(accepted), p50Ms, p99Ms, failures },
    {
      what: 'charges accepted and processed',
      connections,
      perSecond: perSecond(processed),
      p50Ms: 0,
      p99Ms: 0,
      failures: lost,
    },
  ]
}

/** Throws unless the books are right: a fast charge that was lost or doubled is worth nothing. */
async function audit(databaseUrl: string, dataDir: string): Promise<void> {
  const env = { PATH: process.env.PATH ?? '', DATA_DIR: dataDir, DATABASE_URL: databaseUrl }
  await run(process.execPath, [cli, 'audit', '--json'], { env })
}

/** Waits for the last charge to end; answers how many of `expected` did not succeed. */
async function untilProcessed(databaseUrl: string, expected: number): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const end = performance.now() + processingMinutesMax * 60_000
  try {
    for (;;) {
      const { rows } = await client.query(
        `select count(*) filter (where status in ('NEW', 'PROCESSING'))::integer as open,
           count(*) filter (where status = 'SUCCESS')::integer as succeeded from charges`,
      )
      const [{ open, succeeded }] = rows
      if (open === 0 || performance.now() > end) return expected - succeeded
      await new Promise((resolve) => setTimeout(resolve, pollMs))
    }
  } finally {
    await client.end()
  }
}

/** A daily subscription, accepted as its customer's browser would. */
async function acceptedSubscription({ shop, headers }: Api): Promise<string> {
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Lisbon' }).format(new Date())
  const opened = await fetch(`${shop.baseUrl}/api/v2/checkout`, {
    method: 'POST',
    headers,
    body: JSON.stringify({
      subscription: { amount: 1000, currency: 'EUR', frequency: 1, period: 'DAY', start_date: today },
      url_confirm: 'https://shop.example/ok',
      url_cancel: 'https://shop.example/no',
    }),
  })
  const { url_redirect: url, subscription } = (await opened.json()) as {
    url_redirect: string
    subscription: { id: string }
  }
  const page = await openPage(url)
  const form = page.forms.find(({ action }) => action.includes('/card'))
  if (form === undefined) throw new Error('the page takes no card')
  await submit(page, form, { number: '4176660000000027', name: 'Ana Silva', expiry: '12 / 30', vcode: '123' })
  return subscription.id
}
