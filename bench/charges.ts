// Charges of subscriptions: the time from the first request to the last result.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { openPage, submit } from '../test/browserless.ts'
import { accepted } from './goals.ts'
import type { Machine } from './machine.ts'
import { acceptedIn, type Measurement, requestText } from './measure.ts'
import { headersOf, type Shop } from './shop.ts'

const chargesTotal = 4_000
/** A customer has an allowance, so the charges need many customers. */
const subscriptionsTotal = 50
const connections = 32
const processingMsMax = 60_000
const pollMs = 100

const run = promisify(execFile)
const cli = join(import.meta.dirname, '..', 'bin', 'comporta.js')

/**
 * Accepts the charges, waits until each has ended, and runs the audit. The audit fails if an earlier part has written
 * rows without a wallet.
 */
export async function charges({ machine }: { readonly machine: Machine }): Promise<Measurement[]> {
  const [shop] = machine.shops
  const { postgres } = machine
  if (shop === undefined || postgres === undefined) return []
  const ids: string[] = []
  for (let count = 0; count < subscriptionsTotal; count++) ids.push(await acceptedSubscription(shop))
  const body = { payment: { amount: 0.5, currency: 'EUR', ext_invoiceid: 'N-1' } }
  const requests = ids.map((id) => requestText('POST', `/api/v2/subscriptions/${id}/charge`, shop, body))
  const loaded = await machine.generator.run({
    port: machine.port,
    connections,
    requests,
    total: chargesTotal,
  })
  const expected = acceptedIn(loaded)
  const succeeded = await untilProcessed(postgres.sql, expected)
  const perSecond = succeeded / ((Date.now() - loaded.beganAt) / 1000)
  await audit(postgres.url, machine.dataDir)
  const { p50Ms, p99Ms } = loaded
  const failures = chargesTotal - expected
  const measured: Measurement = {
    what: 'charges accepted and processed',
    connections,
    perSecond,
    failures: failures + expected - succeeded,
  }
  return [
    { what: 'charges accepted', connections, perSecond: expected / loaded.seconds, p50Ms, p99Ms, failures },
    { ...measured, goal: accepted(2000)(measured) },
  ]
}

async function audit(databaseUrl: string, dataDir: string): Promise<void> {
  const env = { PATH: process.env.PATH ?? '', DATA_DIR: dataDir, DATABASE_URL: databaseUrl }
  await run(process.execPath, [cli, 'audit', '--json'], { env })
}

async function untilProcessed(
  sql: NonNullable<Machine['postgres']>['sql'],
  expected: number,
): Promise<number> {
  const end = performance.now() + processingMsMax
  for (;;) {
    const { rows } = await sql.query(
      `select count(*) filter (where status in ('NEW', 'PROCESSING'))::integer as open,
        count(*) filter (where status = 'SUCCESS')::integer as succeeded from charges`,
    )
    const [{ open, succeeded }] = rows
    if ((open === 0 && succeeded >= expected) || performance.now() > end) return succeeded
    await pause(pollMs)
  }
}

async function acceptedSubscription(shop: Shop): Promise<string> {
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Lisbon' }).format(new Date())
  const opened = await fetch(`${shop.baseUrl}/api/v2/checkout`, {
    method: 'POST',
    headers: headersOf(shop),
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
