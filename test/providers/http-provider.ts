// A simulated provider: an HTTP server on this machine that can fail at any call.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'

export interface ProviderRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

export interface ProviderAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
}

/** With `broken` the server handles the request, and then the connection breaks. */
export type ProviderHandler = (request: ProviderRequest) => Promise<ProviderAnswer | 'broken'>

/** `before`: the provider does not get the request. `after`: it handles the request, and the answer is lost. */
export type BreakWhen = 'before' | 'after'

export interface HttpProvider {
  readonly url: string
  readonly calls: readonly string[]
  /** Answers 503 to everything. */
  setDown(isDown: boolean): void
  /**
   * Breaks the nth call from now once; 1 is the next, 0 none. Only calls that match `named` (`POST /v1/refunds`) count.
   */
  interrupt(nth: number, when: BreakWhen, named?: RegExp): void
  delay(milliseconds: number): void
  /** Answers without an end. */
  setEndless(isEndless: boolean): void
  close(): Promise<void>
}

const noBreak = { countdown: 0, when: 'before', named: /^/ } as const

export async function startHttpProvider(handle: ProviderHandler): Promise<HttpProvider> {
  const calls: string[] = []
  let isDown = false
  let delayMs = 0
  let isEndless = false
  let breaks: { countdown: number; readonly when: BreakWhen; readonly named: RegExp } = noBreak

  const server = createServer(async (incoming, response) => {
    const request = requestOf(incoming, await textOf(incoming))
    const name = `${request.method} ${request.path}`
    calls.push(name)
    const isCounted = breaks.countdown > 0 && breaks.named.test(name)
    const breakNow = isCounted && --breaks.countdown === 0 ? breaks.when : undefined
    if (breakNow === 'before') return void response.destroy()
    if (isDown) return void response.writeHead(503).end('down')
    if (isEndless) return void pipeline(Readable.from(endless()), response).catch(() => undefined)
    const answer = await handle(request).catch((error: Error) => ({ status: 500, body: String(error.stack) }))
    if (delayMs > 0) await pause(delayMs)
    if (breakNow === 'after' || answer === 'broken') return void response.destroy()
    response.writeHead(answer.status, 'headers' in answer ? answer.headers : {}).end(answer.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    setDown(now) {
      isDown = now
    },
    interrupt(countdown, when, named = noBreak.named) {
      breaks = { countdown, when, named }
    },
    setEndless(now) {
      isEndless = now
    },
    delay(milliseconds) {
      delayMs = milliseconds
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

function* endless(): Generator<string> {
  for (;;) yield ' '.repeat(65_536)
}

function requestOf({ method = 'GET', url = '/', headers }: IncomingMessage, body: string): ProviderRequest {
  const { pathname: path, searchParams: query } = new URL(url, 'http://provider')
  return { method, path, query, headers: headers as Record<string, string | undefined>, body }
}

export interface Interruption {
  readonly call: number
  readonly named: string
  readonly when: BreakWhen
}

export interface Scenario<Driver, Subject> {
  readonly provider: HttpProvider
  /** Opens the driver as a new process, on the same database. */
  open(): Promise<Driver>
  /** Makes the state before the interrupted calls. Each run has its own. */
  prepare(driver: Driver): Promise<Subject>
  /** Makes the calls. If it throws, the result is unknown. */
  act(driver: Driver, subject: Subject): Promise<unknown>
  /**
   * Recovers as the gateway, with a new driver, and asserts the provider's movements.
   * @param interruption undefined in the first run, without a break
   */
  recover(driver: Driver, subject: Subject, interruption: Interruption | undefined): Promise<void>
}

/**
 * Runs a scenario once to count the calls of `act`, then once per call and way of breaking it, each with a restart.
 * @throws the error of `recover`, with the interruption
 */
export async function everyInterruption<Driver, Subject>(
  scenario: Scenario<Driver, Subject>,
): Promise<readonly Interruption[]> {
  const { provider } = scenario
  async function run(interruption: Interruption | undefined): Promise<readonly string[]> {
    const driver = await scenario.open()
    const subject = await scenario.prepare(driver)
    const before = provider.calls.length
    if (interruption !== undefined) provider.interrupt(interruption.call, interruption.when)
    const acted = await scenario.act(driver, subject).then(
      () => undefined,
      (error: Error) => error,
    )
    provider.interrupt(0, 'before')
    if (interruption === undefined && acted !== undefined) throw acted
    const made = provider.calls.slice(before)
    try {
      await scenario.recover(await scenario.open(), subject, interruption)
    } catch (error) {
      const where = interruption && `${interruption.when} call ${interruption.call}, ${interruption.named}`
      throw new Error(`broken ${where ?? 'nowhere'}: ${String(error)}`, { cause: error })
    }
    return made
  }

  const calls = await run(undefined)
  if (calls.length === 0) throw new Error('the scenario makes no call')
  const interruptions = calls.flatMap((named, n) =>
    (['before', 'after'] as const).map((when) => ({ call: n + 1, named, when })),
  )
  for (const interruption of interruptions) await run(interruption)
  return interruptions
}
