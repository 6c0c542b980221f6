// What the shop works with: its addresses, its merchant's keys, and what it remembers of its visitors.
import type { Comporta } from '@comporta/sdk'
import { type Credentials, clientFor, type Outcome, outcomeOf } from './gateway.ts'
import { type Session, Sessions } from './sessions.ts'
import type { Language } from './words/index.ts'

export interface ShopOptions {
  /** Address of the gateway's API. */
  readonly gatewayUrl: string
  /** Where browsers and the gateway find the shop, such as `http://localhost:3100`. */
  readonly publicUrl: string
  /** The merchant's keys; asked for each time, because they may be replaced. */
  credentials(): Promise<Credentials>
  /** The time of the gateway, where it is not the machine's: that of a sandbox can be moved. */
  now?(): Promise<Date>
  /** The setting of where callbacks go, where the shop may read and change it; else its operator sets it. */
  readonly callbackAddress?: {
    read(): Promise<string | null>
    set(address: string): Promise<void>
  }
  /** Draws the page around what the shop shows; else the shop does. */
  layout?(page: Framed): string
  /** The folder with the files for browsers, where it is not beside this file. */
  readonly publicFolder?: string
  /** Told of what went wrong. */
  onError(error: unknown): void
}

/** What stands in the frame of a page. The texts are HTML. */
export interface Framed {
  readonly title: string
  readonly language: Language
  /** Address of the page in the other language. */
  readonly translated: string
  readonly head: string
  readonly body: string
}

/** Fields of a form or of an address. */
export type Fields = Readonly<Record<string, string | undefined>>

/** A request for a page, or a form sent from it. */
export interface Visit {
  readonly session: Session
  readonly language: Language
  readonly fields: Fields
  /** The day in Lisbon, such as `2026-01-31`. */
  readonly today: string
  /** Differs at each rendering, so that the same form sent twice is worked once. */
  readonly attempt: string
}

export class Shop {
  readonly options: ShopOptions
  readonly sessions = new Sessions()
  /** Path of the shop where browsers see it, without a slash at its end. */
  readonly base: string
  /** Links to pages of the gateway begin with it. */
  readonly gatewayLink: string

  constructor(options: ShopOptions) {
    this.options = options
    const { origin, pathname } = new URL(options.publicUrl)
    this.base = pathname.replace(/\/$/, '')
    this.gatewayLink = options.gatewayUrl.replace(origin, '')
  }

  get callbackUrl(): string {
    return `${this.options.publicUrl}/callbacks`
  }

  /** Path of a page for its visitor: the address carries session and language, because there is no cookie. */
  path(path: string, { session, language }: Pick<Visit, 'session' | 'language'>, more: Fields = {}): string {
    const query = new URLSearchParams({ session: session.id, lang: language })
    for (const [name, value] of Object.entries(more)) if (value !== undefined) query.set(name, value)
    const page = `${this.base}${path}`.replace(/(?<=.)\/$/, '')
    return `${page}?${query}`
  }

  /** The same as an address, for the gateway to send the browser back to. */
  url(path: string, visit: Visit, more: Fields): string {
    return new URL(this.path(path, visit, more), this.options.publicUrl).href
  }

  async today(): Promise<string> {
    const now = (await this.options.now?.()) ?? new Date()
    return now.toLocaleDateString('sv-SE', { timeZone: 'Europe/Lisbon' })
  }

  /** Calls the gateway for a visitor. */
  async ask<Answer>(
    { session }: Visit,
    call: (comporta: Comporta) => PromiseLike<Answer>,
  ): Promise<Outcome<Answer>> {
    return outcomeOf(call(clientFor(this.options.gatewayUrl, await this.options.credentials(), session)))
  }

  /**
   * Has callbacks of checkouts and stored cards sent here, where nobody else wanted them: their address is a setting
   * of the merchant. Payments by the card API name theirs in the call.
   */
  async wantCallbacks(): Promise<void> {
    const setting = this.options.callbackAddress
    const address = await setting?.read()
    // The gateway may have been started at another address since.
    const wasOurs = address && address !== this.callbackUrl && address.endsWith(`${this.base}/callbacks`)
    if (address === null || wasOurs) await setting?.set(this.callbackUrl)
  }

  /** Notes that the browser goes to a page of the gateway, and answers its address. */
  sendTo(url: string, { session, language }: Visit): string {
    const address = new URL(url)
    session.note({ kind: 'browser', direction: 'out', path: address.pathname })
    address.searchParams.set('lang', language)
    return address.href
  }
}

/** The shop's own name for something new, such as `SHOP-4f81a0c2`. */
export function newReference(prefix: string): string {
  return `${prefix}-${crypto.randomUUID().slice(0, 8)}`
}
