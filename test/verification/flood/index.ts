// Flood test: sends floods while one client pays each 200 ms. Run it with `npm run flood`.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { freePort } from '../../free-port.ts'
import { startGatewayProcess } from '../../gateway-process.ts'
import { startPostgres } from '../../postgres-server.ts'
import { payByToken, storeCard } from '../../stored-cards.ts'
import type { DemoMerchant, World } from '../../world.ts'
import { type Flood, floodsOf } from './floods.ts'

const payEveryMs = 200
/** Linux counts processor time in hundredths of a second. */
const ticksPerSecond = 100
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    only: { type: 'string', default: '' },
    embedded: { type: 'boolean', default: false },
  },
})

const dataDir = mkdtempSync(join(tmpdir(), 'comporta-flood-'))
const server = values.embedded ? undefined : await startPostgres()
await server?.createDatabase('comporta')
const receiver = createServer((request, response) => void request.resume().once('end', () => response.end()))
const receiverPort = await freePort()
receiver.listen(receiverPort, '127.0.0.1')
const port = await freePort()
const gateway = await startGatewayProcess({
  dataDir,
  port,
  databaseUrl: server?.url('comporta'),
  asStarted: true,
})
try {
  const { merchants } = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as {
    merchants: readonly [DemoMerchant, DemoMerchant]
  }
  const [polite, other] = merchants.map(clientOf) as [World, World]
  const token = await storeCard(polite, '4176660000000027')
  const { body: checkout } = await other.shop.post('/api/v2/checkout', {
    payment: { amount: 10, currency: 'EUR' },
    url_confirm: 'https://shop.example/ok',
    url_cancel: 'https://shop.example/no',
  })
  const { pathname, search } = new URL(checkout.url_redirect)
  const floods = floodsOf({ port, apiKey: other.shop.api_key, page: pathname + search })
  const seconds = Number(values.seconds)
  report('nothing', await payPolitely(polite, token, Math.min(seconds, 20)), {})
  for (const [name, flood] of Object.entries(floods)) {
    if (!name.includes(values.only)) continue
    const counts = attackWith({ ...flood, port, seconds })
    report(name, await payPolitely(polite, token, seconds), await counts)
  }
} finally {
  await gateway.stop()
  await server?.stop()
  receiver.close()
  rmSync(dataDir, { recursive: true, force: true })
}

function clientOf(merchant: DemoMerchant): World {
  const ask = (method: string) => async (path: string, body?: unknown, more?: Record<string, string>) => {
    const response = await fetch(gateway.baseUrl + path, {
      method,
      headers: { authorization: `Comporta ${merchant.api_key}`, 'content-type': 'application/json', ...more },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: text && JSON.parse(text) }
  }
  const shop = { ...merchant, get: (path: string) => ask('GET')(path), post: ask('POST') }
  return {
    shop,
    receiver: { url: (path: string) => `http://127.0.0.1:${receiverPort}${path}` },
  } as unknown as World
}

interface Politely {
  readonly times: readonly number[]
  readonly failed: number
  readonly memoryMb: number
  readonly cores: number
}

/** Pays each 200 ms, without waiting for earlier answers. */
async function payPolitely(client: World, token: string, seconds: number): Promise<Politely> {
  const times: number[] = []
  const paying: Promise<void>[] = []
  let failed = 0
  let memoryMb = 0
  const beganAt = performance.now()
  const usedBefore = processorSeconds(gateway.pid)
  for (let sent = 0; performance.now() < beganAt + seconds * 1000; sent++) {
    const at = performance.now()
    paying.push(
      payByToken(client, token).then(
        () => void times.push(performance.now() - at),
        () => void failed++,
      ),
    )
    memoryMb = Math.max(memoryMb, residentMb(gateway.pid))
    await pause(Math.max(0, beganAt + (sent + 1) * payEveryMs - performance.now()))
  }
  await Promise.all(paying)
  const cores = (processorSeconds(gateway.pid) - usedBefore) / ((performance.now() - beganAt) / 1000)
  return { times: times.sort((one, next) => one - next), failed, memoryMb, cores }
}

function residentMb(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1024)
}

function processorSeconds(pid: number): number {
  const [, , , , , , , , , , , , user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/\(.*\)/, '')
    .split(/\s+/)
  return (Number(user) + Number(system)) / ticksPerSecond
}

async function attackWith(flood: Flood): Promise<Record<string, number>> {
  const child = fork(join(import.meta.dirname, 'attacker.ts'))
  child.send(flood)
  const [counts] = (await once(child, 'message')) as [Record<string, number>]
  return counts
}

function report(
  name: string,
  { times, failed, memoryMb, cores }: Politely,
  counts: Record<string, number>,
): void {
  const at = (share: number) => Math.round(times[Math.ceil(times.length * share) - 1] ?? 0)
  const polite = `${times.length} paid, ${failed} not, half ${at(0.5)} ms, 99% ${at(0.99)} ms, longest ${at(1)} ms`
  const load = loadavg()[0]?.toFixed(1)
  console.log(
    `${name}: ${polite}, memory ${memoryMb} MiB, ${cores.toFixed(2)} cores, load ${load}, flood answered ${JSON.stringify(counts)}`,
  )
}
