// Settings and visitors of the shop.
import type { IncomingMessage } from 'node:http'
import { type Comporta, ComportaError, DeclinedError } from '@comporta/sdk'
import { type Credentials, clientFor } from './gateway.ts'
import { type Language, languageFor, texts } from './i18n/index.ts'
import { type Order, Session } from './session.ts'

export interface ShopOptions {
  /** Address of the gateway's API. */
  readonly gatewayUrl: string
  /** Address of the shop, such as `http://localhost:3100`. */
  readonly publicUrl: string
  /** Reads the keys of the merchant. The shop calls this for each request, because keys can change. */
  credentials(): Promise<Credentials>
  /** The time of the gateway, if it differs from that of this machine. */
  now?(): Promise<Date>
  /** Reads and sets the merchant's callback address, if the shop may change it. */
  readonly callbackAddress?: { read(): Promise<string | null>; set(address: string): Promise<void> }
  /** Puts the page into another frame. Head and body are HTML. */
  layout?(page: Record<'title' | 'translated' | 'head' | 'body', string> & { language: Language }): string
  /** Folder of the files for browsers. Default: `public`. */
  readonly publicFolder?: string
  /** Called with each unexpected error. */
  onError(error: unknown): void
}

/** Fields of a form or of an address. */
export type Fields = Readonly<Record<string, string | undefined>>

const sessionsMax = 200
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

export class Shop {
  readonly options: ShopOptions
  /** Path of the shop for browsers, without a slash at its end. */
  readonly base: string
  /** Links to pages of the gateway begin with this. */
  readonly gatewayLink: string
  readonly callbackUrl: string
  readonly sessions = new Map<string, Session>()
  /** Cents of each refund by payment and refund: a refund can be reported before its payment, or twice. */
  readonly refunds = new Map<unknown, Map<unknown, number>>()
  /** Id of the last event that the shop read. */
  lastEvent = ''

  constructor(options: ShopOptions) {
    this.options = options
    const { origin, pathname } = new URL(options.publicUrl)
    this.base = pathname.replace(/\/$/, '')
    this.gatewayLink = options.gatewayUrl.replace(origin, '')
    this.callbackUrl = `${options.publicUrl}/callbacks`
  }

  /** The session with this id, or a new one. The shop keeps the last 200 sessions. */
  sessionOf(id: string): Session {
    const session = this.sessions.get(id) ?? new Session()
    this.sessions.delete(id)
    this.sessions.set(id, session)
    const [oldest = ''] = this.sessions.keys()
    if (this.sessions.size > sessionsMax) this.sessions.delete(oldest)
    return session
  }

  /** Sets the callback address of the merchant to this shop, unless another server has set its own. */
  async wantCallbacks(): Promise<void> {
    const setting = this.options.callbackAddress
    const address = await setting?.read()
    // The gateway may have had another address when the shop set its own.
    const wasOurs = address && address !== this.callbackUrl && address.endsWith(`${this.base}/callbacks`)
    if (address === null || wasOurs) await setting?.set(this.callbackUrl)
  }
}

export type Visit = Awaited<ReturnType<typeof visitOf>>

/** A request for a page, or a form sent from it. */
export async function visitOf(shop: Shop, { headers }: IncomingMessage, fields: Fields) {
  const { options, base } = shop
  const id = uuid.test(fields.session ?? '') ? String(fields.session) : crypto.randomUUID()
  const session = shop.sessionOf(id)
  const language = languageFor(fields.lang, headers['accept-language'])
  /** The address of a page. It contains the session and the language, because the shop sets no cookie. */
  const path = (page: string, more: Fields = {}, lang = language) => {
    const query = new URLSearchParams({ session: id, lang })
    for (const [name, value] of Object.entries(more)) if (value !== undefined) query.set(name, value)
    return `${`${base}${page}`.replace(/(?<=.)\/$/, '')}?${query}`
  }
  /**
   * Calls the gateway and returns the answer or the error. Without an answer the result is unknown, so the shop does
   * not treat this as a failure.
   */
  async function ask<Answer>(call: (comporta: Comporta) => PromiseLike<Answer>) {
    try {
      return { answer: await call(clientFor(options.gatewayUrl, await options.credentials(), session)) }
    } catch (error) {
      if (error instanceof ComportaError) return { error }
      throw error
    }
  }
  return {
    ...{ shop, id, session, language, fields, path, ask, say: texts[language] },
    today: lisbonDay((await options.now?.()) ?? new Date()),
    /**
     * Calls the gateway for an order. It stores the order first, because the callback can be faster than the answer.
     */
    async place<Answer>(order: Order, call: (comporta: Comporta) => PromiseLike<Answer>) {
      if (order.kind !== 'subscription') session.orders.set(order.reference, order)
      const { answer, error } = await ask(call)
      order.error = error
      // After a 5xx, or without an answer, the result is unknown.
      if (error?.status !== undefined && error.status < 500)
        order.state = error instanceof DeclinedError ? 'FAIL' : 'refused'
      session.changed()
      return answer
    },
    /** The page to which the gateway sends the browser back, after a success and after a failure. */
    backTo(page: string, more?: Fields) {
      const url = new URL(path(page, more), options.publicUrl).href
      return { url_confirm: url, url_cancel: url }
    },
    /** A page of the gateway in the visitor's language. */
    sendTo(url: string): string {
      const address = new URL(url)
      address.searchParams.set('lang', language)
      return address.href
    },
  }
}

/** The day of a moment in Lisbon, such as `2026-01-31`. */
export function lisbonDay(time: Date): string {
  return time.toLocaleDateString('sv-SE', { timeZone: 'Europe/Lisbon' })
}

/** A name for a new order or card, such as `SHOP-4f81a0c2`. */
export function newReference(prefix: string): string {
  return `${prefix}-${crypto.randomUUID().slice(0, 8)}`
}

/** A form that the shop cannot carry out. The message is a key of the texts. */
export class Problem extends Error {}

/** The typed amount in cents. Throws a `Problem` if the text is not an amount. */
export function typedCents({ fields: { amount = '' } }: Visit): number {
  const typed = amount.trim().replace(',', '.')
  if (!/^\d{1,9}(\.\d{1,2})?$/.test(typed)) throw new Problem('no_amount')
  return Math.round(Number(typed) * 100)
}
