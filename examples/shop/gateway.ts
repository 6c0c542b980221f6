// The gateway's client for a visitor: each attempt of each call is noted in the visitor's timeline.
import { Comporta, ComportaError } from '@comporta/sdk'
import type { Session } from './sessions.ts'
import { cut, shownBody, shownHeaders } from './shown.ts'

/** Milliseconds: the customer is waiting for the page. */
const patience = { timeout: 15_000, totalTimeout: 25_000 }

/** What the gateway's operator gave the merchant. It never leaves the server. */
export interface Credentials {
  readonly walletId: string
  /** Names the merchant to the secure form fields; no secret. */
  readonly publicId: string
  /** The word before the API key. */
  readonly authScheme: string
  readonly apiKey: string
  /** For the card API. */
  readonly esbToken: string
  /** `whsec_…`, with which callbacks are signed. */
  readonly signingSecret: string
  /** Public id of another seller, with whom a payment can be divided. */
  readonly sellerPublicId?: string | undefined
}

/** What became of a call: its answer, or why there is none. */
export type Outcome<Answer> =
  | { readonly answer: Answer; readonly error?: undefined }
  | { readonly answer?: undefined; readonly error: ComportaError }

/** A client that notes in the timeline of `session` what it sends. */
export function clientFor(gatewayUrl: string, keys: Credentials, session: Session): Comporta {
  const { apiKey, authScheme, esbToken } = keys
  const fetch = notingFetch(keys, session)
  return new Comporta({ baseUrl: gatewayUrl, apiKey, authScheme, esbToken, fetch, ...patience })
}

/** An answer that does not come is an outcome too: what became of the call is unknown. */
export async function outcomeOf<Answer>(call: PromiseLike<Answer>): Promise<Outcome<Answer>> {
  try {
    return { answer: await call }
  } catch (error) {
    if (error instanceof ComportaError) return { error }
    throw error
  }
}

/** Whether the gateway said no. One that did not answer, or has trouble of its own, leaves open what became of the call. */
export function isRefusal({ status = 0 }: ComportaError): boolean {
  return status >= 400 && status < 500
}

function notingFetch(keys: Credentials, session: Session): typeof globalThis.fetch {
  return async (url, init = {}) => {
    const started = performance.now()
    const { pathname, search } = new URL(String(url))
    const note = (status: number | undefined, answer: string) =>
      session.note({
        kind: 'request',
        method: init.method ?? 'GET',
        path: pathname + search,
        headers: shownHeaders(new Headers(init.headers), keys),
        body: typeof init.body === 'string' ? shownBody(JSON.parse(init.body)) : undefined,
        status,
        answer: cut(answer),
        durationMs: Math.round(performance.now() - started),
      })
    try {
      const response = await fetch(url, init)
      note(response.status, await response.clone().text())
      return response
    } catch (error) {
      note(undefined, String(error))
      throw error
    }
  }
}

/** Undefined for what is no JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
