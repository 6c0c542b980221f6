// The network: the gateway's addresses, merchants' endpoints and providers.
import { lookup } from 'node:dns/promises'
import { createServer } from 'node:net'
import { boundedFetch } from '../../http/bounded-fetch.ts'
import { urlOf } from '../../http/index.ts'
import { ok, type Result } from '../../kernel/result.ts'
import { addressesIn } from './database.ts'
import { type Finding, fine, inTime, reasonOf, type SetUp, skipped, warning, wrong } from './finding.ts'
import type { Holder } from './machine.ts'

/** The check calls only 20 addresses, because a gateway can have thousands of merchants. */
const endpointsMax = 20
/** If the clocks differ more, receivers refuse signatures as too old. */
const clockSecondsMax = 5

const bytesReadMax = 4096

function ask(url: string, setUp: SetUp): Promise<Response> {
  return boundedFetch(url, { signal: inTime(setUp), redirect: 'manual' })
}

async function jsonOf({ body }: Response): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > bytesReadMax) break
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString())
  } catch {
    return undefined
  }
}

/** Recognizes a gateway's `/healthz` or `/readyz`, because other programs can answer 200 too. */
function says(body: unknown, status: 'up' | 'ready'): boolean {
  return (body as { status?: unknown } | null | undefined)?.status === status
}

export async function examinePort(
  setUp: SetUp,
  holder: Holder,
): Promise<{ readonly finding: Finding; readonly isRunning: boolean }> {
  const { host, port } = setUp.config
  const check = 'port'
  const own = `${urlOf(host)}:${port}`
  if (port === 0)
    return { finding: fine(check, 'a free port is chosen at each start (PORT=0)'), isRunning: false }
  try {
    const response = await ask(`${own}/readyz`, setUp)
    const body = await jsonOf(response)
    const isRunning = response.status === 200 && says(body, 'ready') && holder !== 'nobody'
    return { finding: answered(own, response.status, body, holder), isRunning }
  } catch (error) {
    return { finding: await unanswered(setUp, own, holder, reasonOf(error)), isRunning: false }
  }
}

function answered(own: string, status: number, body: unknown, holder: Holder): Finding {
  const check = 'port'
  if (status === 200 && says(body, 'ready')) {
    if (holder !== 'nobody') return fine(check, `a gateway is ready at ${own}`)
    return wrong(
      check,
      `the gateway that is ready at ${own} is not the one of this data folder`,
      'set DATA_DIR to the folder of that gateway, or PORT to another port',
    )
  }
  if (status === 503 && isRefusal(body)) {
    return wrong(
      check,
      `${own}/readyz answers 503`,
      'see the log of the gateway there; often its database is unavailable',
    )
  }
  return wrong(
    check,
    `${own}/readyz answers ${status}, not as a gateway does`,
    'another program uses this port: end it, or set PORT',
  )
}

function isRefusal(body: unknown): boolean {
  return typeof (body as { code?: unknown } | null | undefined)?.code === 'number'
}

async function unanswered(setUp: SetUp, own: string, holder: Holder, reason: string): Promise<Finding> {
  const { host, port, dataDir } = setUp.config
  const check = 'port'
  if (!(await isFree(host, port))) {
    const mend = 'set PORT or HOST, or end the program on it'
    return wrong(check, `${port} on ${host} is in use, but ${own}/readyz does not answer: ${reason}`, mend)
  }
  if (holder !== 'gateway' && holder !== 'stuck')
    return fine(check, `${port} on ${host} is free: no gateway runs`)
  return warning(
    check,
    `no gateway is at ${own}: the gateway of ${dataDir} was started with another PORT or HOST`,
    'run the doctor with the settings of that gateway, or restart it with these',
  )
}

function isFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, host, () => probe.close(() => resolve(true)))
  })
}

export async function examinePublicAddress(setUp: SetUp, isRunning: boolean): Promise<Finding[]> {
  const { config, baseUrl } = setUp
  const check = 'BASE_URL'
  if (!isRunning) return [skipped(check, `${baseUrl} is checked while the gateway runs`)]
  try {
    const response = await ask(`${baseUrl}/healthz`, setUp)
    const { status, headers } = response
    if (status !== 200 || !says(await jsonOf(response), 'up')) {
      return [
        wrong(
          check,
          `${baseUrl}/healthz answers ${status}, not as a gateway does`,
          'configure the proxy to forward every path to this gateway',
        ),
      ]
    }
    return [fine(check, `${baseUrl} leads to a gateway`), clockOf(headers.get('date'))]
  } catch (error) {
    const mend =
      config.baseUrl === undefined
        ? 'set BASE_URL to the address that customers use'
        : 'check the name (DNS), the certificate and the proxy; or this machine cannot reach its own public address'
    return [wrong(check, `${baseUrl} is not reached: ${reasonOf(error)}`, mend)]
  }
}

function clockOf(date: string | null): Finding {
  const check = 'clock'
  const theirs = Date.parse(date ?? '')
  if (Number.isNaN(theirs)) return skipped(check, 'the answer has no date')
  const seconds = Math.abs(Math.round((theirs - performance.timeOrigin - performance.now()) / 1000))
  return seconds <= clockSecondsMax
    ? fine(check, 'agrees with that of the public address')
    : wrong(
        check,
        `${seconds} s away from that of the public address`,
        'synchronize both clocks with a time server (NTP)',
      )
}

interface MerchantInList {
  readonly wallet_id: number
  readonly callback_url?: string | null
  readonly card_callback_url?: string | null
}

/** Callback addresses of all merchants. A running gateway reads its embedded database for us. */
async function addressesOf({ config: { databaseUrl }, inside }: SetUp): Promise<Result<string[], string>> {
  if (databaseUrl !== undefined) return ok(await addressesIn(databaseUrl))
  const { json, exitCode, text } = await inside(['merchant', 'list', '--json'])
  if (exitCode !== 0) return { ok: false, refusal: text }
  const { merchants } = json as { merchants: readonly MerchantInList[] }
  const set = merchants.flatMap(({ callback_url, card_callback_url }) => [callback_url, card_callback_url])
  return ok([...new Set(set.filter((url) => typeof url === 'string'))])
}

/** Sends GET requests, which change nothing, so any answer is good. */
export async function examineEndpoints(setUp: SetUp): Promise<Finding[]> {
  const addresses = await addressesOf(setUp)
  if (!addresses.ok) return [skipped('callbacks', addresses.refusal)]
  const urls = addresses.value
  if (urls.length === 0) return [skipped('callbacks', 'no merchant has a callback address')]
  const found = await Promise.all(urls.slice(0, endpointsMax).map((url) => examineEndpoint(url, setUp)))
  const more = urls.length - endpointsMax
  return more > 0 ? [...found, skipped('callbacks', `${more} more addresses`)] : found
}

async function examineEndpoint(url: string, setUp: SetUp): Promise<Finding> {
  const check = 'callbacks'
  const { origin, hostname } = new URL(url)
  try {
    const { status, body } = await ask(url, setUp)
    await body?.cancel()
    return status < 500
      ? fine(check, `${origin} answers`)
      : warning(check, `${origin} answers ${status}`, 'the merchant’s program has an error: see its log')
  } catch (error) {
    const known = await lookup(hostname.replace(/^\[(.*)\]$/, '$1')).then(
      () => true,
      () => false,
    )
    return warning(
      check,
      `${origin} ${known ? `does not answer: ${reasonOf(error)}` : 'has an unknown name'}`,
      'is the program running, and can this machine reach it? For a program behind a firewall, use comporta listen',
    )
  }
}

export async function examineProviders({ config, inside }: SetUp): Promise<Finding> {
  const check = 'providers'
  if (config.mode === 'sandbox') return skipped(check, 'the sandbox simulates them')
  const listed = await inside(['rails', 'list', '--json'])
  const { connections = [] } = listed.json as { connections?: readonly unknown[] }
  if (listed.exitCode !== 0) return wrong(check, listed.text, 'comporta rails list')
  if (connections.length === 0)
    return warning(
      check,
      'no provider is connected: no money moves',
      'run comporta rails set; see docs/going-live.md',
    )
  const asked = await inside(['rails', 'check', '--json'])
  return asked.exitCode === 0
    ? fine(check, `${connections.length} connected, and all answer`)
    : wrong(check, asked.text, 'run comporta rails check, then correct the settings by comporta rails set')
}
