// The demo shop's memory: one session per visitor, in this process and, by notices, in every other one.
import { isUuid } from '../../src/kernel/ids.ts'
import type { Database } from '../../src/storage/index.ts'
import { firstBasket } from './goods.ts'
import { type Change, type Entry, entriesMax, type Order, type Session } from './model.ts'
import type { ShopCharge, ShopSubscription } from './subscribing/model.ts'

/** Some 100 kB each; the session that was used least lately goes first. */
const sessionsMax = 200
const channel = 'sandbox_shop'
/** PostgreSQL carries notices of less than 8000 bytes. */
const noticeBytesMax = 7900

export interface Memory {
  /** What is known of a visitor; a new one has done nothing yet. */
  session(id: string): Session
  /** The session that a reference of the shop's, or an id of the gateway's, belongs to. */
  ownerOf(name: unknown): Session | undefined
  record(change: Change): void
  /** Calls `listener` after each change of the session; answers how to stop that. */
  watch(session: string, listener: (change: Change) => void): () => void
  /** Begins to hear of changes in other processes. */
  listen(): Promise<void>
}

interface Remembered extends Session {
  basket: Session['basket']
  card: Session['card']
  readonly entries: Entry[]
  readonly orders: Map<string, Order>
  readonly subscriptions: Map<string, ShopSubscription>
  readonly charges: Map<string, ShopCharge>
  /** By which others speak of what is in it. */
  readonly names: Set<string>
  readonly listeners: Set<(change: Change) => void>
}

/**
 * Nothing of it survives a restart: a pretend merchant has no books to keep.
 *
 * @param self tells this process's notices from those of others
 */
export function createMemory(database: Database, self: string, onError: (error: unknown) => void): Memory {
  const sessions = new Map<string, Remembered>()
  const sessionOf = new Map<string, string>()

  function remembered(id: string): Remembered {
    const known = sessions.get(id)
    const session = known ?? newSession(id)
    sessions.delete(id)
    sessions.set(id, session)
    const [oldest] = sessions.values()
    if (sessions.size > sessionsMax && oldest !== undefined) forget(oldest)
    return session
  }

  function forget({ id, names }: Remembered): void {
    sessions.delete(id)
    for (const name of names) sessionOf.delete(name)
  }

  function apply(change: Change): void {
    const session = remembered(change.session)
    if (change.entry !== undefined) session.entries.push(change.entry)
    if (session.entries.length > entriesMax) session.entries.shift()
    if (change.basket !== undefined) session.basket = change.basket
    if (change.card !== undefined) session.card = change.card ?? undefined
    if (change.order !== undefined) session.orders.set(change.order.reference, change.order)
    if (change.subscription !== undefined) {
      session.subscriptions.set(change.subscription.reference, change.subscription)
    }
    if (change.charge !== undefined) session.charges.set(change.charge.reference, change.charge)
    for (const name of namesOf(change)) {
      session.names.add(name)
      sessionOf.set(name, session.id)
    }
    for (const listener of session.listeners) listener(change)
  }

  return {
    session: remembered,
    ownerOf(name) {
      const session = sessionOf.get(String(name))
      return session === undefined ? undefined : sessions.get(session)
    },
    record(change) {
      apply(change)
      // PGlite belongs to one process.
      if (database.kind === 'postgres') database.notify(channel, noticeOf(self, change)).catch(onError)
    },
    watch(id, listener) {
      const { listeners } = remembered(id)
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async listen() {
      if (database.kind !== 'postgres') return
      await database.listen(channel, (notice) => {
        const told = readNotice(notice)
        if (told !== undefined && told.from !== self) apply(told.change)
      })
    },
  }
}

function newSession(id: string): Remembered {
  return {
    id,
    basket: firstBasket,
    card: undefined,
    entries: [],
    orders: new Map(),
    subscriptions: new Map(),
    charges: new Map(),
    names: new Set(),
    listeners: new Set(),
  }
}

function namesOf({ order, subscription, charge }: Change): string[] {
  const names = [order?.reference, subscription?.reference, subscription?.gatewayId, charge?.reference]
  return names.filter((name) => name !== undefined)
}

function noticeOf(from: string, change: Change): string {
  const notice = JSON.stringify({ from, change })
  if (Buffer.byteLength(notice) <= noticeBytesMax) return notice
  const { entry, ...rest } = change
  return JSON.stringify({ from, change: { ...rest, ...(entry && { entry: withoutBodies(entry) }) } })
}

function withoutBodies(entry: Entry): Entry {
  if (entry.kind === 'callback') return { ...entry, body: '…' }
  return entry.kind === 'request' ? { ...entry, body: '…', answer: '…' } : entry
}

/** Empty after a lost connection; what was missed then stays missed. */
function readNotice(notice: string): { readonly from: string; readonly change: Change } | undefined {
  if (notice === '') return undefined
  const told = JSON.parse(notice) as { from: string; change: Change }
  return isUuid(told.change.session) ? told : undefined
}
