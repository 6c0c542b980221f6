// What the demo shop remembers of each visitor: basket, orders, a stored card, subscriptions, and all it said and heard.
import type { Instant } from '../../src/kernel/time.ts'
import type { Basket } from './goods.ts'
import type { ShopCharge, ShopSubscription } from './subscribing/model.ts'

export const shopPath = '/sandbox/shop'
export const callbacksPath = `${shopPath}/callbacks`

/** Older entries of a timeline are forgotten. */
export const entriesMax = 100

/** How an order is paid for; `card` pays nothing and stores a card. */
export type Way = 'checkout' | 'fields' | 'token' | 'card'

/** `refused`: the gateway did not take the request. `pending`: a callback will tell. */
export type OrderState = 'begun' | 'pending' | 'done' | 'failed' | 'refused'

export interface Order {
  /** What the shop calls it: `ext_invoiceid` of a payment, `request_id` of a card. */
  readonly reference: string
  readonly way: Way
  readonly basket: Basket
  readonly state: OrderState
  /** The gateway's words, where it had any. */
  readonly reason?: string | undefined
  /** Checkout or operation at the gateway. */
  readonly gatewayId?: string | undefined
}

export interface StoredCard {
  readonly token: string
  readonly brand: string
  readonly last4: string
}

interface EntryBase {
  readonly id: string
  readonly at: Instant
}

/** One call of the shop's server, as it may be shown: nothing secret is in it. */
export interface RequestEntry extends EntryBase {
  readonly kind: 'request'
  readonly method: string
  readonly path: string
  readonly headers: readonly string[]
  readonly body?: string | undefined
  /** Absent when no answer came. */
  readonly status?: number | undefined
  readonly answer?: string | undefined
  readonly durationMs: number
}

export interface CallbackEntry extends EntryBase {
  readonly kind: 'callback'
  readonly headers: readonly string[]
  readonly body: string
  /** What `callback/verify` said. */
  readonly genuine: boolean
}

/** The customer's browser, sent to the gateway's pages or come back from there. */
export interface BrowserEntry extends EntryBase {
  readonly kind: 'browser'
  readonly direction: 'out' | 'back'
  readonly path: string
}

export type Entry = RequestEntry | CallbackEntry | BrowserEntry

export interface Session {
  readonly id: string
  readonly basket: Basket
  /** Oldest first. */
  readonly entries: readonly Entry[]
  readonly orders: ReadonlyMap<string, Order>
  readonly card: StoredCard | undefined
  /** Oldest first, as are the charges. */
  readonly subscriptions: ReadonlyMap<string, ShopSubscription>
  /** Of all of them. */
  readonly charges: ReadonlyMap<string, ShopCharge>
}

/** What happened in one session; every process applies the same. */
export interface Change {
  readonly session: string
  readonly entry?: Entry
  readonly order?: Order
  readonly subscription?: ShopSubscription
  readonly charge?: ShopCharge
  readonly basket?: Basket
  /** Null: the card is forgotten. */
  readonly card?: StoredCard | null
}
