// The gateway's client for a visitor. It notes each attempt of each call in the timeline.
import { Comporta } from '@comporta/sdk'
import type { Session } from './session.ts'
import { cut, shownBody, shownHeaders } from './shown.ts'

/** The merchant's keys, named as in the sandbox's `demo.json`. They never leave the server. */
export interface Credentials {
  readonly wallet_id: string | number
  /** Names the merchant to the secure form fields; no secret. */
  readonly public_id: string
  /** The word before the API key. */
  readonly auth_scheme: string
  readonly api_key: string
  /** For the card API. */
  readonly esb_token: string
  /** `whsec_…`, with which callbacks are signed. */
  readonly callback_signing_secret: string
  /** Public id of another seller, who can get a part of a payment. */
  readonly seller_public_id?: string | undefined
}

/** A client that notes its calls in the timeline of `session`. */
export function clientFor(baseUrl: string, keys: Credentials, session: Session): Comporta {
  return new Comporta({
    ...{ baseUrl, apiKey: keys.api_key, authScheme: keys.auth_scheme, esbToken: keys.esb_token },
    fetch: notingFetch(keys, session),
    // Milliseconds: the customer is waiting for the page.
    ...{ timeout: 15_000, totalTimeout: 25_000 },
  })
}

function notingFetch(keys: Credentials, session: Session): typeof globalThis.fetch {
  return async (url, init = {}) => {
    const started = performance.now()
    const { pathname, search } = new URL(String(url))
    const title = `${init.method ?? 'GET'} ${pathname}${search}`
    const body = typeof init.body === 'string' ? ['', indented(shownBody(JSON.parse(init.body)))] : []
    const sent = [title, ...shownHeaders(new Headers(init.headers), keys), ...body]
    const note = (text: string, status?: number) => {
      const durationMs = Math.round(performance.now() - started)
      session.note({
        kind: 'request',
        title,
        sent,
        answer: { status, text: indented(cut(text)), durationMs },
      })
    }
    try {
      const response = await fetch(url, init)
      note(await response.clone().text(), response.status)
      return response
    } catch (error) {
      note(String(error))
      throw error
    }
  }
}

/** Undefined for a text that is no JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** JSON with a line for each field; any other text, and JSON that was cut, as it is. */
export function indented(text: string): string {
  return JSON.stringify(readJson(text), null, 2) ?? text
}
