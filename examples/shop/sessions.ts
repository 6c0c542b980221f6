// What the shop remembers of each visitor while it runs. A real shop has a database; this one starts empty.
import type { Operation } from '@comporta/sdk'

/** How many of each piece. */
export interface Basket {
  readonly tshirt: number
  readonly mug: number
}

/** How an order is paid; `card` pays nothing and stores a card, `reservation` is charged later. */
export type OrderKind = 'checkout' | 'fields' | 'token' | 'card' | 'reservation'

/** `refused`: the gateway did not take the request. `pending`: a callback will say how it ends. */
export type OrderState = 'begun' | 'pending' | 'done' | 'failed' | 'refused'

export interface Order {
  /** The shop's own name for it: `ext_invoiceid` of a payment, `request_id` of a card. */
  readonly reference: string
  readonly kind: OrderKind
  readonly basket: Basket
  state: OrderState
  /** Why the gateway refused it, in the gateway's words. */
  reason?: string | undefined
  /** Id of the checkout or the operation. */
  gatewayId?: string | undefined
}

export interface StoredCard {
  readonly token: string
  readonly brand: string
  readonly last4: string
}

/** `asked` before the gateway has answered, `refused` where it said no; the others are the API's. */
export type SubscriptionState =
  | 'asked'
  | 'refused'
  | 'NEW'
  | 'APPROVED'
  | 'FAILED'
  | 'EXPIRED'
  | 'CANCELED'
  | 'VOIDED'

export type ChargeState = 'asked' | 'refused' | 'NEW' | 'PROCESSING' | 'SUCCESS' | 'FAIL'

/** Why the gateway did not take a request. */
export interface Refusal {
  /** Undefined when no answer came. */
  readonly code: number | undefined
  readonly reason: string
}

export interface Subscription {
  /** `ext_subscriptionid`, and `ext_invoiceid` of the first payment. */
  readonly reference: string
  /** Whether a first payment is made in the same checkout. */
  readonly withPack: boolean
  state: SubscriptionState
  /** In cents: what may be charged each month. */
  amount: number
  /** Days as `2026-01-31`. */
  startDate: string
  endDate?: string | undefined
  checkoutId?: string | undefined
  gatewayId?: string | undefined
  method?: string | undefined
  card?: { readonly brand: string; readonly last4: string } | undefined
  /** State of the first payment. */
  payment?: string | undefined
  refusal?: Refusal | undefined
}

export interface Charge {
  /** `ext_invoiceid`. */
  readonly reference: string
  /** Reference of its subscription. */
  readonly subscription: string
  /** In cents. */
  readonly amount: number
  /** On which it was asked for. */
  readonly day: string
  state: ChargeState
  gatewayId?: string | undefined
  refusal?: Refusal | undefined
}

/** What the merchant did last. */
export type Done = 'looked' | 'refunded' | 'captured' | 'released' | 'divided' | 'paid_out'

/** What the merchant's page shows. */
export interface Selling {
  /** As the gateway said last, newest first; undefined before the shop asked. */
  readonly operations?: readonly Operation[] | undefined
  /** In cents: what can be paid out. */
  readonly balance?: number | undefined
  readonly done?: Done | undefined
  readonly refusal?: Refusal | undefined
  readonly problem?: 'no_amount' | 'no_seller' | 'not_yours' | undefined
}

/** One line of the timeline; nothing secret is in it. */
export type Entry = { readonly id: string; readonly at: Date } & (
  | {
      readonly kind: 'request'
      readonly method: string
      readonly path: string
      readonly headers: readonly string[]
      readonly body: string | undefined
      /** Undefined when no answer came. */
      readonly status: number | undefined
      readonly answer: string
      readonly durationMs: number
    }
  | {
      readonly kind: 'callback'
      readonly headers: readonly string[]
      readonly body: string
      /** Whether its signature is the gateway's. */
      readonly genuine: boolean
    }
  | { readonly kind: 'browser'; readonly direction: 'out' | 'back'; readonly path: string }
)

type Unnamed<E> = E extends Entry ? Omit<E, 'id' | 'at'> : never

/** Older entries are forgotten. */
const entriesMax = 100
/** Some 100 kB each; the visitor who was here least lately is forgotten first. */
const sessionsMax = 200

export class Session {
  readonly id: string
  basket: Basket = { tshirt: 1, mug: 1 }
  card: StoredCard | undefined
  selling: Selling = {}
  /** Oldest first, as all that follows. */
  readonly entries: Entry[] = []
  readonly orders = new Map<string, Order>()
  readonly subscriptions = new Map<string, Subscription>()
  readonly charges = new Map<string, Charge>()
  /** Called after each change, with the new entry if there is one. */
  readonly listeners = new Set<(entry: Entry | undefined) => void>()

  constructor(id: string) {
    this.id = id
  }

  note(entry: Unnamed<Entry>): void {
    const noted = { ...entry, id: crypto.randomUUID(), at: new Date() } as Entry
    this.entries.push(noted)
    if (this.entries.length > entriesMax) this.entries.shift()
    this.changed(noted)
  }

  /** To be called after what is remembered was changed. */
  changed(entry?: Entry): void {
    for (const listener of this.listeners) listener(entry)
  }

  /** Whether something in it has this reference, or this id of the gateway's. */
  knows(name: unknown): boolean {
    const key = String(name)
    return (
      [this.orders, this.subscriptions, this.charges].some((all) => all.has(key)) ||
      [...this.subscriptions.values()].some(({ gatewayId }) => gatewayId === key)
    )
  }
}

export class Sessions {
  readonly #sessions = new Map<string, Session>()

  /** The visitor's; a new visitor has done nothing yet. */
  get(id: string): Session {
    const session = this.#sessions.get(id) ?? new Session(id)
    this.#sessions.delete(id)
    this.#sessions.set(id, session)
    const [oldest] = this.#sessions.keys()
    if (this.#sessions.size > sessionsMax && oldest !== undefined) this.#sessions.delete(oldest)
    return session
  }

  /** Whose order, subscription or charge is meant. */
  ownerOf(names: readonly unknown[]): Session | undefined {
    const known = names.filter((name) => typeof name === 'string')
    return [...this.#sessions.values()].find((session) => known.some((name) => session.knows(name)))
  }
}

/** In which order states follow each other: answers and callbacks overtake one another, and none leads back. */
const ranks: Readonly<Record<string, number>> = {
  ...{ asked: 0, begun: 0, NEW: 1, pending: 1, PROCESSING: 2, APPROVED: 2, refused: 2 },
  ...{ done: 3, failed: 3, FAILED: 3, EXPIRED: 3, CANCELED: 3, VOIDED: 3, SUCCESS: 3, FAIL: 3 },
}

/** The state of something after the gateway said `said` of it; what has ended stays as it ended. */
export function later<State extends string>(known: State, said: unknown): State {
  const rank = typeof said === 'string' && Object.hasOwn(ranks, said) ? ranks[said] : undefined
  return rank !== undefined && rank > (ranks[known] ?? 0) ? (said as State) : known
}
