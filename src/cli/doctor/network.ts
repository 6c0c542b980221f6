// What is reached over the network: the gateway at its own and its public address, merchants' endpoints, providers.
import { lookup } from 'node:dns/promises'
import { createServer } from 'node:net'
import { type Finding, fine, reasonOf, type SetUp, skipped, warning, wrong } from './finding.ts'

const timeoutMs = 5000
/** A gateway may have thousands of merchants. */
const endpointsMax = 20
/** More, and signatures are refused as too old within minutes of slow delivery. */
const clockSecondsMax = 5

async function answerOf(url: string): Promise<Response> {
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs), redirect: 'manual' })
  await response.body?.cancel()
  return response
}

/** A gateway that is ready on its port, or a port that it can have. */
export async function examinePort({ config: { host, port } }: SetUp): Promise<Finding> {
  const check = 'port'
  const own = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  if (port === 0) return fine(check, 'a free one is picked at each start (PORT=0)')
  try {
    const { status } = await answerOf(`${own}/readyz`)
    if (status === 200) return fine(check, `a gateway is ready at ${own}`)
    return wrong(
      check,
      `${own}/readyz answers ${status}`,
      status === 503
        ? 'a gateway runs there and cannot work: its log says why, often its database'
        : 'another program has this port: end it, or set PORT',
    )
  } catch {
    return (await isFree(host, port))
      ? fine(check, `${port} on ${host} is free: no gateway runs`)
      : wrong(check, `${port} on ${host} cannot be had`, 'set PORT or HOST, or end the program that has it')
  }
}

function isFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, host, () => probe.close(() => resolve(true)))
  })
}

/** Whether the public address leads to a gateway, and whether its clock is ours. */
export async function examinePublicAddress(
  { config, baseUrl }: SetUp,
  isRunning: boolean,
): Promise<Finding[]> {
  const check = 'BASE_URL'
  if (!isRunning) return [skipped(check, `${baseUrl} is asked once the gateway runs`)]
  try {
    const { status, headers } = await answerOf(`${baseUrl}/healthz`)
    if (status !== 200) {
      return [
        wrong(
          check,
          `${baseUrl}/healthz answers ${status}`,
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

/** Any answer will do: it is asked by GET, to do nothing there. */
export async function examineEndpoints({ inside }: SetUp): Promise<Finding[]> {
  const { json, exitCode, text } = await inside(['merchant', 'list', '--json'])
  if (exitCode !== 0) return [skipped('callbacks', text)]
  const { merchants } = json as { merchants: readonly MerchantInList[] }
  const set = merchants.flatMap(({ callback_url, card_callback_url }) => [callback_url, card_callback_url])
  const urls = [...new Set(set.filter((url) => typeof url === 'string'))]
  if (urls.length === 0) return [skipped('callbacks', 'no merchant has an address for them')]
  const found = await Promise.all(urls.slice(0, endpointsMax).map(examineEndpoint))
  const more = urls.length - endpointsMax
  return more > 0 ? [...found, skipped('callbacks', `${more} more addresses`)] : found
}

async function examineEndpoint(url: string): Promise<Finding> {
  const check = 'callbacks'
  const { origin, hostname } = new URL(url)
  try {
    const { status } = await answerOf(url)
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
      'comporta rails set connects one; docs/going-live.md',
    )
  const asked = await inside(['rails', 'check', '--json'])
  return asked.exitCode === 0
    ? fine(check, `${connections.length} connected, and they answer`)
    : wrong(check, asked.text, 'comporta rails check shows each; comporta rails set changes its settings')
}
