// The shop's memory of one visitor. A real shop has a database.
import type { ComportaError, Operation } from '@comporta/sdk'

/** Something that the shop asked the gateway for. */
export interface Order {
  readonly kind: 'checkout' | 'fields' | 'token' | 'card' | 'reservation' | 'charge' | 'subscription'
  /** The shop's own name for it: `ext_invoiceid`, `request_id` of a card, `ext_subscriptionid`. */
  readonly reference: string
  /** In cents; of a subscription per month. */
  amount: number
  /** Day of the request, as `2026-01-31`. */
  readonly day: string
  /** `asked` before the gateway has answered, `refused` after a 4xx; the others are the API's. */
  state: string
  gatewayId?: string | undefined
  error?: ComportaError | undefined
  /** Reference of the subscription of a charge. */
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

/** The merchant's page after its last button. Operations are newest first; the balance is in cents. */
export interface Selling {
  operations?: readonly Operation[] | undefined
  balance?: number | undefined
  done?: 'looked' | 'refunded' | 'captured' | 'released' | 'divided' | 'paid_out' | undefined
  error?: ComportaError | undefined
}

/** One line of the timeline; nothing secret is in it. */
export interface Entry {
  readonly kind: 'request' | 'callback'
  readonly title: string
  readonly sent: readonly string[]
  /** The answer to a call, without a status if none came. */
  readonly answer?: {
    readonly status?: number | undefined
    readonly text: string
    readonly durationMs: number
  }
  /** Whether the signature of a callback is the gateway's. */
  readonly genuine?: boolean
}

export class Session {
  basket = { tshirt: 1, mug: 1 }
  card: (Card & { readonly token: string }) | undefined
  selling: Selling = {}
  /** Oldest first, as all that follows. */
  readonly entries: (Entry & { readonly id: string; readonly at: Date })[] = []
  readonly orders = new Map<string, Order>()
  readonly subscriptions = new Map<string, Subscription>()
  /** Called after each change. */
  readonly listeners = new Set<() => void>()

  /** Adds a line to the timeline, which keeps the last 100. */
  note(entry: Entry): void {
    this.entries.push({ ...entry, id: crypto.randomUUID(), at: new Date() })
    if (this.entries.length > 100) this.entries.shift()
    this.changed()
  }

  /** Call it after each change of what is remembered. */
  changed(): void {
    for (const listener of this.listeners) listener()
  }

  /** The order or subscription with the first known one of these references and ids. */
  find(names: readonly unknown[]): Order | undefined {
    const all = [...this.orders.values(), ...this.subscriptions.values()]
    const known = names.filter((name) => typeof name === 'string')
    return known
      .map((name) => all.find(({ reference, gatewayId }) => name === reference || name === gatewayId))
      .find((order) => order !== undefined)
  }
}

const ends = ['COMPLETED', 'FAIL', 'SUCCESS', 'FAILED', 'EXPIRED', 'CANCELED', 'VOIDED']
/** Answers and callbacks overtake one another: a state never follows one of a later group. */
const ranks = [['asked'], ['NEW', 'PENDING'], ['PROCESSING', 'APPROVED', 'refused'], ends]
const rankOf = (state: unknown) => ranks.findIndex((states) => states.includes(String(state)))

/** Takes over the state in an answer or a callback, unless a later one is known. */
export function advance(order: Order, state: unknown): void {
  if (rankOf(state) > rankOf(order.state)) order.state = String(state)
}
