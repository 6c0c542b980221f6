// One HTTP POST to a merchant's endpoint: bounded in time, never redirected, its answer's body thrown away.
import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { performance } from 'node:perf_hooks'
import { Agent, buildConnector, type Dispatcher, request } from 'undici'
import { second } from '../kernel/time.ts'
import { AddressRefused, isPublicAddress, publicLookup } from './addresses.ts'
import type { Answer } from './model.ts'

const connectTimeoutMs = 10 * second
const resolveTimeoutMs = 3 * second
/** Enough to reuse the connection after the short bodies that receivers send. */
const answerBytesReadMax = 4096
const answerReadMs = 1 * second
const headerBytesMax = 16_384
const errorLengthMax = 200

export interface Post {
  /** Posts `body` and tells what came of it; never rejects. `signal` bounds the whole exchange. */
  (address: string, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<Answer>
  close(): Promise<void>
}

/**
 * A poster with connections of its own, kept alive between callbacks to the same server.
 *
 * @param publicOnly production: https only, to public addresses only
 */
export function createPost(publicOnly: boolean): Post {
  const connect = publicOnly ? publicConnector() : { timeout: connectTimeoutMs }
  // The signal bounds the exchange as a whole; undici's own timers would only tick in vain.
  const agent = new Agent({ connect, headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: headerBytesMax })

  const post = async (
    address: string,
    headers: Record<string, string>,
    body: string,
    signal: AbortSignal,
  ): Promise<Answer> => {
    const started = performance.now()
    const elapsed = () => Math.round(performance.now() - started)
    try {
      const url = addressToPost(address, publicOnly)
      const asked = request(url, { method: 'POST', headers, body, dispatcher: agent, signal })
      const response = await Promise.race([asked, abortOf(signal)])
      const answer = { kind: 'answered', status: response.statusCode, durationMs: elapsed() } as const
      await discard(response.body)
      return answer
    } catch (error) {
      return { kind: 'unanswered', error: reasonOf(error), durationMs: elapsed() }
    }
  }
  return Object.assign(post, { close: () => agent.destroy() })
}

function addressToPost(address: string, publicOnly: boolean): URL {
  const url = URL.parse(address)
  if (url === null || !['https:', 'http:'].includes(url.protocol))
    throw new Error('the address is not an http address')
  if (publicOnly && url.protocol !== 'https:') throw new Error('callbacks go to https addresses only')
  return url
}

/** undici looks nothing up for an address written as a number, so that one is checked here. */
function publicConnector(): buildConnector.connector {
  const resolver = new Resolver({ timeout: resolveTimeoutMs, tries: 2 })
  const connect = buildConnector({ timeout: connectTimeoutMs, lookup: publicLookup(resolver) })
  return (options, callback) => {
    const literal = options.hostname.replace(/^\[(.*)\]$/, '$1')
    if (isIP(literal) !== 0 && !isPublicAddress(literal)) callback(new AddressRefused(), null)
    else connect(options, callback)
  }
}

/** Rejects when `signal` does; undici itself hears of it only once a connection stands. */
function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

/** The status has decided; a body that is long or slow only costs its connection. */
async function discard(body: Dispatcher.ResponseData['body']): Promise<void> {
  try {
    await body.dump({ limit: answerBytesReadMax, signal: AbortSignal.timeout(answerReadMs) })
  } catch {
    body.destroy()
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'no answer in time'
  const { code, message } = error as { code?: string; message?: string }
  const text = [code, message].filter((part) => part !== undefined && part !== '').join(': ')
  return (text === '' ? String(error) : text).slice(0, errorLengthMax)
}
