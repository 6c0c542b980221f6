// A client of the gateway that writes its calls into the timeline of the page.
import { Comporta } from '@comporta/sdk'
import type { Session } from './session.ts'
import { cut, shownBody, shownHeaders } from './shown.ts'

/** Keys of the merchant, as `demo.json` has them. They must stay on the server. */
export interface Credentials {
  readonly wallet_id: string | number
  /** Public id for the secure form fields. */
  readonly public_id: string
  /** Scheme of the `Authorization` header. */
  readonly auth_scheme: string
  readonly api_key: string
  /** ESB token for the card API. */
  readonly esb_token: string
  /** Signing secret of callbacks, `whsec_…`. */
  readonly callback_signing_secret: string
  /** Public id of another seller, to show splits. */
  readonly seller_public_id?: string | undefined
}

export function clientFor(baseUrl: string, keys: Credentials, session: Session): Comporta {
  return new Comporta({
    ...{ baseUrl, apiKey: keys.api_key, authScheme: keys.auth_scheme, esbToken: keys.esb_token },
    fetch: notingFetch(keys, session),
    // Milliseconds. The limits are short, because a customer waits.
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

export function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function indented(text: string): string {
  return JSON.stringify(readJson(text), null, 2) ?? text
}
