// One HTTP POST to a merchant's endpoint: bounded in time, never redirected, its answer's body thrown away.
import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { performance } from 'node:perf_hooks'
import { Agent, buildConnector, type Dispatcher } from 'undici'
import { second } from '../../kernel/time.ts'
import type { Answer } from '../model.ts'
import { AddressRefused, isPublicAddress, publicLookup } from './addresses.ts'

const connectTimeoutMs = 10 * second
const resolveTimeoutMs = 3 * second
/** Enough to reuse the connection after the short bodies that receivers send. */
const answerBytesReadMax = 4096
const answerReadMs = 1 * second
const headerBytesMax = 16_384
const errorLengthMax = 200

export interface Post {
  /** Posts `body` and answers the result within `timeoutMs`; never rejects. */
  (address: string, headers: Record<string, string>, body: string, timeoutMs: number): Promise<Answer>
  /** Ends what has no answer yet; it counts as unanswered. */
  cancel(): void
  close(): Promise<void>
}

/**
 * A poster with connections of its own, kept alive between callbacks to the same server.
 *
 * @param publicOnly production: https only, to public addresses only
 */
export function createPost(publicOnly: boolean): Post {
  const connect = publicOnly ? publicConnector() : { timeout: connectTimeoutMs }
  // Each exchange is bounded as a whole; undici's own timers are not needed.
  const agent = new Agent({ connect, headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: headerBytesMax })
  const open = new Set<Exchange>()

  const post = (address: string, headers: Record<string, string>, body: string, timeoutMs: number) =>
    new Promise<Answer>((resolve) => {
      const exchange = new Exchange(timeoutMs, (answer) => {
        open.delete(exchange)
        resolve(answer)
      })
      open.add(exchange)
      try {
        const { origin, pathname, search } = addressToPost(address, publicOnly)
        agent.dispatch({ origin, path: pathname + search, method: 'POST', headers, body }, exchange)
      } catch (error) {
        exchange.onResponseError(undefined, error as Error)
      }
    })
  return Object.assign(post, {
    cancel() {
      for (const exchange of open) exchange.end('the gateway is stopping')
    },
    close: () => agent.destroy(),
  })
}

function addressToPost(address: string, publicOnly: boolean): URL {
  const url = URL.parse(address)
  if (url === null || !['https:', 'http:'].includes(url.protocol))
    throw new Error('the address is not an http address')
  if (publicOnly && url.protocol !== 'https:') throw new Error('callbacks go to https addresses only')
  return url
}

/** One request and its answer. The status decides; a body that is long or slow only costs its connection. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #started = performance.now()
  readonly #answered: (answer: Answer) => void
  #timer: NodeJS.Timeout | undefined
  #controller: Dispatcher.DispatchController | undefined
  #decided = false
  #ended = false
  #bytes = 0

  constructor(timeoutMs: number, answered: (answer: Answer) => void) {
    this.#answered = answered
    this.#timer = setTimeout(() => this.end('no answer in time'), timeoutMs)
  }

  /** Ends it without an answer, for the reason given. */
  end(error: string): void {
    this.#decide({ kind: 'unanswered', error, durationMs: this.#elapsed() })
    this.#hangUp()
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#ended) this.#hangUp()
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    // 1xx precedes the answer.
    if (status < 200) return
    this.#decide({ kind: 'answered', status, durationMs: this.#elapsed() })
    this.#timer = setTimeout(() => this.#hangUp(), answerReadMs)
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length
    if (this.#bytes > answerBytesReadMax) this.#hangUp()
  }

  onResponseEnd(): void {
    clearTimeout(this.#timer)
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    const elapsed = this.#elapsed()
    // A name server answers sooner for what is inside than for what is nowhere.
    const durationMs = error instanceof AddressRefused ? elapsed - (elapsed % second) : elapsed
    this.#decide({ kind: 'unanswered', error: reasonOf(error), durationMs })
  }

  #elapsed(): number {
    return Math.round(performance.now() - this.#started)
  }

  #decide(answer: Answer): void {
    clearTimeout(this.#timer)
    if (this.#decided) return
    this.#decided = true
    this.#answered(answer)
  }

  /** Before there is a connection nothing can be aborted: undici calls this again when it starts the request. */
  #hangUp(): void {
    clearTimeout(this.#timer)
    this.#ended = true
    this.#controller?.abort(new Error('hung up'))
  }
}

/** undici resolves no name for an IP address, so an address is checked here. */
function publicConnector(): buildConnector.connector {
  const resolver = new Resolver({ timeout: resolveTimeoutMs, tries: 2 })
  const connect = buildConnector({ timeout: connectTimeoutMs, lookup: publicLookup(resolver) })
  return (options, callback) => {
    const literal = options.hostname.replace(/^\[(.*)\]$/, '$1')
    if (isIP(literal) !== 0 && !isPublicAddress(literal)) callback(new AddressRefused(), null)
    else connect(options, callback)
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string }
  const text = [code, message].filter((part) => part !== undefined && part !== '').join(': ')
  return (text === '' ? String(error) : text).slice(0, errorLengthMax)
}
