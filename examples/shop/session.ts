// The shop's memory of one visitor. A real shop uses a database.
import type { ComportaError, Operation } from '@comporta/sdk'

export interface Order {
  readonly kind: 'checkout' | 'fields' | 'token' | 'card' | 'reservation' | 'charge' | 'subscription'
  /** The reference: `ext_invoiceid` of a payment, `request_id` of a card, or `ext_subscriptionid`. */
  readonly reference: string
  /** Cents. For a subscription this is the amount of a month. */
  amount: number
  /** Day of the request, such as `2026-01-31`. */
  readonly day: string
  /** `asked` before the answer, `refused` after a 4xx. Otherwise it is the state in the API. */
  state: string
  gatewayId?: string | undefined
  /** Id of its payment, known from the first callback. */
  operationId?: string | undefined
  error?: ComportaError | undefined
  /** The reference of the subscription that was charged. */
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

/** Operations with the newest first. The balance is in cents. */
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
  /** The status is absent if there was no answer. */
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

  /** Adds a line to the timeline, which keeps the last 100. */
  note(entry: Entry): void {
    this.entries.push({ ...entry, id: crypto.randomUUID(), at: new Date() })
    if (this.entries.length > 100) this.entries.shift()
    this.changed()
  }

  /** Tells the page of a change. Call this after each one. */
  changed(): void {
    for (const listener of this.listeners) listener()
  }

  find(names: readonly unknown[]): Order | undefined {
    const all = [...this.orders.values(), ...this.subscriptions.values()]
    const known = names.filter((name): name is string => typeof name === 'string')
    return known
      .map((name) =>
        all.find((order) => [order.reference, order.gatewayId, order.operationId].includes(name)),
      )
      .find((order) => order !== undefined)
  }
}

const ends = ['COMPLETED', 'FAIL', 'SUCCESS', 'FAILED', 'EXPIRED', 'CANCELED', 'VOIDED']
/** An answer or a callback can arrive late, and must not change a state back to an earlier one. */
const ranks = [['asked'], ['NEW', 'PENDING'], ['PROCESSING', 'APPROVED', 'refused'], ends]
const rankOf = (state: unknown) => ranks.findIndex((states) => states.includes(String(state)))

export function advance(order: Order, state: unknown): void {
  if (rankOf(state) > rankOf(order.state)) order.state = String(state)
}
