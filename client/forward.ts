// Sends a callback to a local program, with unchanged body and headers.

// biome-ignore-start lint/style/noRestrictedImports: of the answer its status is read, and nothing more
import { type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'

// biome-ignore-end lint/style/noRestrictedImports: see above

/** The gateway waits this long for the answer to a real delivery. */
const timeoutMs = 15_000

/** The status of the answer, or the error if there was no answer. */
export type LocalAnswer = ({ readonly status: number } | { readonly error: string }) & {
  readonly durationMs: number
}

/**
 * Posts `body` to `url`. The promise never rejects.
 * @param cut close the connection as soon as the body is sent, without waiting for the answer
 */
export function forward(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
  stopped: AbortSignal,
  cut = false,
): Promise<LocalAnswer> {
  const started = performance.now()
  const durationMs = () => Math.round(performance.now() - started)
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  const until = AbortSignal.any([stopped, AbortSignal.timeout(timeoutMs)])
  return new Promise((resolve) => {
    const options: RequestOptions = { method: 'POST', headers, signal: until }
    const sent = request(url, options, (response) => {
      response.on('error', () => undefined).resume()
      resolve({ status: response.statusCode ?? 0, durationMs: durationMs() })
    })
    sent.on('upgrade', ({ statusCode = 0 }, socket) => {
      socket.destroy()
      resolve({ status: statusCode, durationMs: durationMs() })
    })
    sent.on('close', () => resolve({ error: 'closed without an answer', durationMs: durationMs() }))
    sent.on('error', (error: NodeJS.ErrnoException) => {
      const reason = until.aborted && !stopped.aborted ? 'no answer in 15 s' : faultIn(error)
      resolve({ error: reason, durationMs: durationMs() })
    })
    if (cut) sent.once('finish', () => sent.destroy())
    sent.end(body)
  })
}

/** If a host name has two addresses, Node reports two errors without a message of their own. */
function faultIn(error: NodeJS.ErrnoException): string {
  return error.code ?? (error.message === '' ? String(error) : error.message)
}
