// The orders that a booked transaction names.
import { type Cents, sumOf } from '../../kernel/money.ts'
import type { Executor } from '../../storage/index.ts'
import { unconfirmedOf } from '../by-hand/store.ts'
import { fileIdOfGroup, fileIdOfMessage, groupsOf, withHyphens } from '../groups.ts'
import type { StoredOrder } from '../model.ts'
import type { Line } from './lines.ts'
import type { Transaction } from './messages.ts'
import { findBankFile, lockOrdersIn, lockOrdersOf, ordersOnlyReturned } from './store.ts'

export interface OrdersNamed<Booked> {
  /** The orders of each transaction: one by its reference, or all orders of a group or file. */
  readonly about: ReadonlyMap<Booked, readonly StoredOrder[]>
  /** The operations of a transaction that names several, so that none of them is certain. */
  readonly uncertain: ReadonlyMap<Booked, readonly string[]>
}

/** Finds and locks the orders that the transactions name. */
export async function ordersAbout<Booked extends Pick<Line, 'entry'> & { readonly transaction: Transaction }>(
  tx: Executor,
  booked: readonly Booked[],
): Promise<OrdersNamed<Booked>> {
  const clear = booked.filter(({ entry }) => entry.problem === undefined)
  const operationIds = clear.flatMap(({ transaction }) => operationsNamed(transaction))
  const byOperation = Map.groupBy(await lockOrdersOf(tx, operationIds), ({ operationId }) => operationId)
  const about = new Map<Booked, readonly StoredOrder[]>()
  const uncertain = new Map<Booked, readonly string[]>()
  for (const one of clear) {
    const { transaction } = one
    const named = [...new Set(operationsNamed(transaction))].filter((id) => byOperation.has(id))
    if (named.length > 1) uncertain.set(one, named)
    const isNamed = withHyphens(transaction.endToEndId ?? '') !== undefined
    if (named.length > 0 || isNamed)
      about.set(one, (named.length === 1 && byOperation.get(named[0] ?? '')) || [])
    else about.set(one, await ordersTogether(tx, transaction))
  }
  return { about, uncertain }
}

/** Operations that a transaction names. If our end-to-end reference is present, only that counts. */
function operationsNamed({ endToEndId = '', references }: Transaction): string[] {
  const own = withHyphens(endToEndId)
  return own === undefined ? references.flatMap((name) => withHyphens(name) ?? []) : [own]
}

/** The orders of the only named group or file whose total is the amount of the transaction. */
async function ordersTogether(
  tx: Executor,
  { paymentGroupId, references, amount }: Transaction,
): Promise<readonly StoredOrder[]> {
  const names = new Set([paymentGroupId?.toLowerCase() ?? [], references].flat())
  const found = new Map<string, readonly StoredOrder[]>()
  for (const name of names) {
    const fileId = fileIdOfMessage(name) ?? fileIdOfGroup(name)
    const file = fileId === undefined ? undefined : await findBankFile(tx, fileId)
    if (file === undefined) continue
    const all = await lockOrdersIn(tx, file.id)
    const groups = groupsOf(file, all).filter(({ id }) => id === name || fileIdOfMessage(name) !== undefined)
    for (const { id, orders } of groups) {
      const booked = await bookedTogether(tx, orders, amount)
      if (booked.length > 0) found.set(id, booked)
    }
    if (groups.length < 2) continue
    const booked = await bookedTogether(tx, all, amount)
    if (booked.length > 0) found.set(name, booked)
  }
  const [only, ...others] = found.values()
  return only !== undefined && others.length === 0 ? only : []
}

/** The open orders if their total is the amount. Otherwise with those only returned, or settled by hand. */
async function bookedTogether(
  tx: Executor,
  all: readonly StoredOrder[],
  amount: Cents,
): Promise<readonly StoredOrder[]> {
  const open = all.filter(({ answer }) => answer !== 'returned')
  const returnedOnly = await ordersOnlyReturned(tx, all)
  const booked = all.filter((order) => open.includes(order) || returnedOnly.has(order.id))
  const byHand = await unconfirmedOf(tx, all)
  const withSettled = all.filter((order) => booked.includes(order) || byHand.has(order.id))
  return [open, booked, withSettled].find((some) => sumOf(some.map((order) => order.amount)) === amount) ?? []
}
