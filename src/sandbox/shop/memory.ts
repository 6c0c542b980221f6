// The demo shop's memory: one session per visitor, in this process and, by notices, in every other one.
import { isUuid } from '../../kernel/ids.ts'
import type { Database } from '../../storage/index.ts'
import { firstBasket } from './goods.ts'
import { type Change, type Entry, entriesMax, type Order, type Session } from './model.ts'

/** Some 100 kB each; the session that was used least lately goes first. */
const sessionsMax = 200
const channel = 'sandbox_shop'
/** PostgreSQL carries notices of less than 8000 bytes. */
const noticeBytesMax = 7900

export interface Memory {
  /** What is known of a visitor; a new one has done nothing yet. */
  session(id: string): Session
  /** The session and order that a reference of the shop's stands for. */
  find(reference: string): { readonly session: string; readonly order: Order } | undefined
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

  function forget({ id, orders }: Remembered): void {
    sessions.delete(id)
    for (const reference of orders.keys()) sessionOf.delete(reference)
  }

  function apply(change: Change): void {
    const session = remembered(change.session)
    if (change.entry !== undefined) session.entries.push(change.entry)
    if (session.entries.length > entriesMax) session.entries.shift()
    if (change.basket !== undefined) session.basket = change.basket
    if (change.card !== undefined) session.card = change.card ?? undefined
    if (change.order !== undefined) {
      const { reference } = change.order
      session.orders.set(reference, change.order)
      sessionOf.set(reference, session.id)
    }
    for (const listener of session.listeners) listener(change)
  }

  return {
    session: remembered,
    find(reference) {
      const session = sessionOf.get(reference)
      const order = session === undefined ? undefined : sessions.get(session)?.orders.get(reference)
      return session === undefined || order === undefined ? undefined : { session, order }
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
  const listeners = new Set<(change: Change) => void>()
  return { id, basket: firstBasket, card: undefined, entries: [], orders: new Map(), listeners }
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
