// What is reached over the network: the gateway at its own and its public address, merchants' endpoints, providers.
import { lookup } from 'node:dns/promises'
import { createServer } from 'node:net'
import { boundedFetch } from '../../http/bounded-fetch.ts'
import { urlOf } from '../../http/index.ts'
import { ok, type Result } from '../../kernel/result.ts'
import { addressesIn } from './database.ts'
import { type Finding, fine, inTime, reasonOf, type SetUp, skipped, warning, wrong } from './finding.ts'
import type { Holder } from './machine.ts'

/** A gateway may have thousands of merchants. */
const endpointsMax = 20
/** More, and signatures are refused as too old within minutes of slow delivery. */
const clockSecondsMax = 5

/** Of an answer, at most so much is read to see whose it is. */
const bytesReadMax = 4096

function ask(url: string, setUp: SetUp): Promise<Response> {
  return boundedFetch(url, { signal: inTime(setUp), redirect: 'manual' })
}

/** The beginning of an answer as JSON; undefined where it is none. */
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

/** Whether an answer is that of a gateway's `/healthz` or `/readyz`: anybody can answer 200. */
function says(body: unknown, status: 'up' | 'ready'): boolean {
  return (body as { status?: unknown } | null | undefined)?.status === status
}

/** Who is on the port: the gateway of these settings, another program, or nobody. */
export async function examinePort(
  setUp: SetUp,
  holder: Holder,
): Promise<{ readonly finding: Finding; readonly isRunning: boolean }> {
  const { host, port } = setUp.config
  const check = 'port'
  const own = `${urlOf(host)}:${port}`
  if (port === 0)
    return { finding: fine(check, 'a free one is picked at each start (PORT=0)'), isRunning: false }
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
      'set DATA_DIR to the folder of that gateway, or PORT to a port of your own',
    )
  }
  if (status === 503 && isRefusal(body)) {
    return wrong(
      check,
      `${own}/readyz answers 503`,
      'a gateway runs there and cannot work: its log says why, often its database',
    )
  }
  return wrong(
    check,
    `${own}/readyz answers ${status}, not as a gateway does`,
    'another program has this port: end it, or set PORT',
  )
}

/** In the form in which a gateway refuses. */
function isRefusal(body: unknown): boolean {
  return typeof (body as { code?: unknown } | null | undefined)?.code === 'number'
}

async function unanswered(setUp: SetUp, own: string, holder: Holder, reason: string): Promise<Finding> {
  const { host, port, dataDir } = setUp.config
  const check = 'port'
  if (!(await isFree(host, port))) {
    const mend = 'set PORT or HOST, or end the program that has it'
    return wrong(check, `${port} on ${host} is taken by who does not answer ${own}/readyz: ${reason}`, mend)
  }
  if (holder !== 'gateway' && holder !== 'stuck')
    return fine(check, `${port} on ${host} is free: no gateway runs`)
  return warning(
    check,
    `no gateway is at ${own}: the one that has ${dataDir} was started with another PORT or HOST`,
    'run the doctor with the settings of that gateway, or start it again with these',
  )
}

function isFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, host, () => probe.close(() => resolve(true)))
  })
}

/** Whether the public address leads to a gateway, and whether its clock is ours. */
export async function examinePublicAddress(setUp: SetUp, isRunning: boolean): Promise<Finding[]> {
  const { config, baseUrl } = setUp
  const check = 'BASE_URL'
  if (!isRunning) return [skipped(check, `${baseUrl} is asked once the gateway runs`)]
  try {
    const response = await ask(`${baseUrl}/healthz`, setUp)
    const { status, headers } = response
    if (status !== 200 || !says(await jsonOf(response), 'up')) {
      return [
        wrong(
          check,
          `${baseUrl}/healthz answers ${status}, not as a gateway does`,
          'have the proxy pass every path on to this gateway',
        ),
      ]
    }
    return [fine(check, `${baseUrl} leads to a gateway`), clockOf(headers.get('date'))]
  } catch (error) {
    const mend =
      config.baseUrl === undefined
        ? 'set BASE_URL to the address that customers use'
        : 'look at the name (DNS), the certificate and the proxy; this machine may also be kept from its own public address'
    return [wrong(check, `${baseUrl} is not reached: ${reasonOf(error)}`, mend)]
  }
}

/** By the header with which whoever answers at the public address dates its answer. */
function clockOf(date: string | null): Finding {
  const check = 'clock'
  const theirs = Date.parse(date ?? '')
  if (Number.isNaN(theirs)) return skipped(check, 'the answer carries no date')
  const seconds = Math.abs(Math.round((theirs - performance.timeOrigin - performance.now()) / 1000))
  return seconds <= clockSecondsMax
    ? fine(check, 'agrees with that of the public address')
    : wrong(
        check,
        `${seconds} s away from that of the public address`,
        'have both follow a time server (NTP)',
      )
}

interface MerchantInList {
  readonly wallet_id: number
  readonly callback_url?: string | null
  readonly card_callback_url?: string | null
}

/** The addresses of all merchants: of an embedded database by the gateway that has it open. */
async function addressesOf({ config: { databaseUrl }, inside }: SetUp): Promise<Result<string[], string>> {
  if (databaseUrl !== undefined) return ok(await addressesIn(databaseUrl))
  const { json, exitCode, text } = await inside(['merchant', 'list', '--json'])
  if (exitCode !== 0) return { ok: false, refusal: text }
  const { merchants } = json as { merchants: readonly MerchantInList[] }
  const set = merchants.flatMap(({ callback_url, card_callback_url }) => [callback_url, card_callback_url])
  return ok([...new Set(set.filter((url) => typeof url === 'string'))])
}

/** Any answer will do: it is asked by GET, to do nothing there. */
export async function examineEndpoints(setUp: SetUp): Promise<Finding[]> {
  const addresses = await addressesOf(setUp)
  if (!addresses.ok) return [skipped('callbacks', addresses.refusal)]
  const urls = addresses.value
  if (urls.length === 0) return [skipped('callbacks', 'no merchant has an address for them')]
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
      : warning(
          check,
          `${origin} answers ${status}`,
          'the merchant’s program has a fault: its log says which',
        )
  } catch (error) {
    const known = await lookup(hostname.replace(/^\[(.*)\]$/, '$1')).then(
      () => true,
      () => false,
    )
    return warning(
      check,
      `${origin} ${known ? `does not answer: ${reasonOf(error)}` : 'has a name that is not known'}`,
      'is the program running, and may this machine reach it? comporta listen brings callbacks to a program that it may not',
    )
  }
}

/** Each provider is asked something harmless. */
export async function examineProviders({ config, inside }: SetUp): Promise<Finding> {
  const check = 'providers'
  if (config.mode === 'sandbox') return skipped(check, 'the sandbox plays them')
  const listed = await inside(['rails', 'list', '--json'])
  const { connections = [] } = listed.json as { connections?: readonly unknown[] }
  if (listed.exitCode !== 0) return wrong(check, listed.text, 'comporta rails list')
  if (connections.length === 0)
    return warning(
      check,
      'none is connected: no money moves',
      'comporta rails set connects one; docs/connect-a-provider.md',
    )
  const asked = await inside(['rails', 'check', '--json'])
  return asked.exitCode === 0
    ? fine(check, `${connections.length} connected, and they answer`)
    : wrong(check, asked.text, 'comporta rails check shows each; comporta rails set changes its settings')
}
