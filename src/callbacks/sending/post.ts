// One HTTP POST: time limit, no redirects, answer body discarded.
import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { performance } from 'node:perf_hooks'
import { Agent, buildConnector, type Dispatcher } from 'undici'
import { second } from '../../kernel/time.ts'
import type { Answer } from '../model.ts'
import { AddressRefused, isPublicAddress, publicLookup } from './addresses.ts'

const connectTimeoutMs = 10 * second
const resolveTimeoutMs = 3 * second
const answerBytesReadMax = 4096
const answerReadMs = 1 * second
const headerBytesMax = 16_384
const errorLengthMax = 200

export interface Post {
  (address: string, headers: Record<string, string>, body: string, timeoutMs: number): Promise<Answer>
  cancel(): void
  close(): Promise<void>
}

/** Keeps connections to each server open. `publicOnly`: only https and public addresses. */
export function createPost(publicOnly: boolean): Post {
  const connect = publicOnly ? publicConnector() : { timeout: connectTimeoutMs }
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

/** Only the status decides. If the body is long or slow, the connection is closed. */
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

  end(error: string): void {
    this.#decide({ kind: 'unanswered', error, durationMs: this.#elapsed() })
    this.#hangUp()
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#ended) this.#hangUp()
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
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
    // The duration is rounded, because internal names resolve faster than unknown ones and would be revealed.
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

  /** Before the connection exists, there is nothing to abort. undici then calls this again. */
  #hangUp(): void {
    clearTimeout(this.#timer)
    this.#ended = true
    this.#controller?.abort(new Error('hung up'))
  }
}

/** Checks IP addresses here, because undici looks up only names. */
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
