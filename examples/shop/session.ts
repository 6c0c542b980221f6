// Memory of one visitor. A real shop has a database.
import type { ComportaError, Operation } from '@comporta/sdk'

export interface Order {
  readonly kind: 'checkout' | 'fields' | 'token' | 'card' | 'reservation' | 'charge' | 'subscription'
  /** `ext_invoiceid`, `request_id` of a card, or `ext_subscriptionid`. */
  readonly reference: string
  /** Cents; for a subscription, per month. */
  amount: number
  /** Day of the request, such as `2026-01-31`. */
  readonly day: string
  /** `asked` before the answer, `refused` after a 4xx, otherwise the API's state. */
  state: string
  gatewayId?: string | undefined
  error?: ComportaError | undefined
  /** Reference of the charge's subscription. */
  readonly subscription?: string
}

export interface Card {
  readonly brand: string
  readonly last4: string
}

export interface Subscription extends Order {
  startDate: string
  endDate?: string | undefined
  checkoutId?: string | undefined
  method?: string | undefined
  card?: Card | undefined
  /** State of the first payment, if there is one. */
  payment?: string | undefined
}

/** Operations are newest first. The balance is in cents. */
export interface Selling {
  operations?: readonly Operation[] | undefined
  balance?: number | undefined
  done?: 'looked' | 'refunded' | 'captured' | 'released' | 'divided' | 'paid_out' | undefined
  error?: ComportaError | undefined
}

/** One line of the timeline, without secrets. */
export interface Entry {
  readonly kind: 'request' | 'callback'
  readonly title: string
  readonly sent: readonly string[]
  /** Without a status if there was no answer. */
  readonly answer?: {
    readonly status?: number | undefined
    readonly text: string
    readonly durationMs: number
  }
  /** Whether the callback's signature is genuine. */
  readonly genuine?: boolean
}

export class Session {
  basket = { tshirt: 1, mug: 1 }
  card: (Card & { readonly token: string }) | undefined
  selling: Selling = {}
  /** Oldest first. */
  readonly entries: (Entry & { readonly id: string; readonly at: Date })[] = []
  readonly orders = new Map<string, Order>()
  readonly subscriptions = new Map<string, Subscription>()
  readonly listeners = new Set<() => void>()

  /** The timeline keeps 100 lines. */
  note(entry: Entry): void {
    this.entries.push({ ...entry, id: crypto.randomUUID(), at: new Date() })
    if (this.entries.length > 100) this.entries.shift()
    this.changed()
  }

  /** Call it after each change. */
  changed(): void {
    for (const listener of this.listeners) listener()
  }

  find(names: readonly unknown[]): Order | undefined {
    const all = [...this.orders.values(), ...this.subscriptions.values()]
    const known = names.filter((name) => typeof name === 'string')
    return known
      .map((name) => all.find(({ reference, gatewayId }) => name === reference || name === gatewayId))
      .find((order) => order !== undefined)
  }
}

const ends = ['COMPLETED', 'FAIL', 'SUCCESS', 'FAILED', 'EXPIRED', 'CANCELED', 'VOIDED']
/** Answers and callbacks can arrive out of order: a state never goes back. */
const ranks = [['asked'], ['NEW', 'PENDING'], ['PROCESSING', 'APPROVED', 'refused'], ends]
const rankOf = (state: unknown) => ranks.findIndex((states) => states.includes(String(state)))

export function advance(order: Order, state: unknown): void {
  if (rankOf(state) > rankOf(order.state)) order.state = String(state)
}
