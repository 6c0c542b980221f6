// Sends requests over HTTP. It keeps its connections, so that cut ones are noticed.
import { Agent, request as send } from 'undici'
import type { Wire, WireAnswer } from '../world/wire.ts'

/** Longer than the gateway allows any request to take. */
const timeoutMs = 40_000

export function createHttpWire(address: () => string, baseUrl: string): Wire & { close(): Promise<void> } {
  const agent = new Agent({ connections: 64, headersTimeout: timeoutMs, bodyTimeout: timeoutMs })
  return {
    baseUrl,
    async send({ method, path, headers = {}, body }) {
      try {
        const answer = await send(address() + path, {
          dispatcher: agent,
          method,
          headers,
          body: body ?? null,
        })
        const text = await answer.body.text()
        return { status: answer.statusCode, headers: textsOf(answer.headers), text } satisfies WireAnswer
      } catch {
        return undefined
      }
    },
    pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    close: () => agent.destroy(),
  }
}

function textsOf(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value = '']) => [
      name,
      Array.isArray(value) ? value.join('\n') : value,
    ]),
  )
}
