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
  /** Keys of the merchant, read each time because they can change. */
  credentials(): Promise<Credentials>
  /** Time of the gateway, if it differs from the machine's. */
  now?(): Promise<Date>
  /** Callback address, if the shop can change it. */
  readonly callbackAddress?: { read(): Promise<string | null>; set(address: string): Promise<void> }
  /** Custom page frame. Head and body are HTML. */
  layout?(page: Record<'title' | 'translated' | 'head' | 'body', string> & { language: Language }): string
  /** Folder of files for browsers. Default: `public`. */
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
  /** Links to pages of the gateway begin with it. */
  readonly gatewayLink: string
  readonly callbackUrl: string
  readonly sessions = new Map<string, Session>()

  constructor(options: ShopOptions) {
    this.options = options
    const { origin, pathname } = new URL(options.publicUrl)
    this.base = pathname.replace(/\/$/, '')
    this.gatewayLink = options.gatewayUrl.replace(origin, '')
    this.callbackUrl = `${options.publicUrl}/callbacks`
  }

  /** The session with this id, which is new if it is unknown. The shop forgets the least recent of 200. */
  sessionOf(id: string): Session {
    const session = this.sessions.get(id) ?? new Session()
    this.sessions.delete(id)
    this.sessions.set(id, session)
    const [oldest = ''] = this.sessions.keys()
    if (this.sessions.size > sessionsMax) this.sessions.delete(oldest)
    return session
  }

  /** Sets the merchant's callback address to the shop, unless another server has it. */
  async wantCallbacks(): Promise<void> {
    const setting = this.options.callbackAddress
    const address = await setting?.read()
    // The gateway may have been started at another address since.
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
  /** Path of a page. The address carries session and language, because there is no cookie. */
  const path = (page: string, more: Fields = {}, lang = language) => {
    const query = new URLSearchParams({ session: id, lang })
    for (const [name, value] of Object.entries(more)) if (value !== undefined) query.set(name, value)
    return `${`${base}${page}`.replace(/(?<=.)\/$/, '')}?${query}`
  }
  /** Calls the gateway. Without an answer the result of the call is unknown, so an error is a result too. */
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
    /** Calls the gateway for an order, which is remembered before: its callback may be faster than the answer. */
    async place<Answer>(order: Order, call: (comporta: Comporta) => PromiseLike<Answer>) {
      if (order.kind !== 'subscription') session.orders.set(order.reference, order)
      const { answer, error } = await ask(call)
      order.error = error
      // After a 5xx or no answer the result is open.
      if (error?.status !== undefined && error.status < 500)
        order.state = error instanceof DeclinedError ? 'FAIL' : 'refused'
      session.changed()
      return answer
    },
    /** The address of a page, as both addresses that the gateway may send the browser back to. */
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

/** The shop's own name for something new, such as `SHOP-4f81a0c2`. */
export function newReference(prefix: string): string {
  return `${prefix}-${crypto.randomUUID().slice(0, 8)}`
}

/** A form that cannot be done. Its message is a key of the texts. */
export class Problem extends Error {}

/** The typed amount in cents. Throws a `Problem` if it is no amount. */
export function typedCents({ fields: { amount = '' } }: Visit): number {
  const typed = amount.trim().replace(',', '.')
  if (!/^\d{1,9}(\.\d{1,2})?$/.test(typed)) throw new Problem('no_amount')
  return Math.round(Number(typed) * 100)
}
