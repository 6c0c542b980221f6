// Status reports (pain.002), which reject orders before they are booked.
import type { Instant } from '../../kernel/time.ts'
import type { Executor } from '../../storage/index.ts'
import { unconfirmedOf } from '../by-hand/store.ts'
import { fileIdOfMessage, groupsOf, withHyphens } from '../groups.ts'
import type { BankFile, StoredOrder } from '../model.ts'
import type { Counted } from './booking.ts'
import { FileRefused } from './document.ts'
import type { GroupStatus, OrderStatus, StatusReason, StatusReport } from './messages.ts'
import { contradictionOf, hintOf, isDuplicate, isRefused } from './rules.ts'
import {
  type AnsweredOrder,
  answerOrders,
  filesWithOrdersOf,
  findBankFile,
  lockOrdersIn,
  noteHints,
} from './store.ts'

/** A rejection is final; an accepted order is not paid yet. Orders with a hint count as unmatched. */
export async function takeStatus(tx: Executor, report: StatusReport, now: Instant): Promise<Counted> {
  const file = await fileOf(tx, report)
  const orders = await lockOrdersIn(tx, file.id)
  const byHand = await unconfirmedOf(tx, orders)
  const rejected = report.groups.find((group) => isUnnamed(group) && isRefused(group.status))
  const answers: AnsweredOrder[] = []
  const hints: { wallet_id: bigint; id: string; hint: string }[] = []
  for (const [{ walletId, id, answer }, { status, reasons }] of statusesByOrder(report, file, orders)) {
    const [settled] = byHand.get(id) ?? []
    // If the bank rejects a duplicate, the first order may still be paid, so the answer stays open.
    if (answer === undefined && isRefused(status) && !reasons.some(isDuplicate)) {
      const returnCode = reasons.find(({ code }) => code !== undefined)?.code
      answers.push({ walletId, id, answer: 'returned', returnCode })
    }
    if (answer === 'returned' || (answer === 'paid' && settled === undefined)) continue
    const hint = settled
      ? contradictionOf(settled, status, reasons)
      : hintOf(status, reasons, rejected?.reasons)
    if (hint !== undefined) hints.push({ wallet_id: walletId, id, hint })
  }
  await answerOrders(tx, answers, now)
  await noteHints(tx, hints)
  return { answers, unmatched: hints.length, transfers: 0, repeated: 0 }
}

/** Ids of the orders that the report names. */
export function namedOrders({ orders, groups }: Pick<StatusReport, 'orders' | 'groups'>): string[] {
  return [...orders, ...groups.flatMap((group) => group.orders)].flatMap(({ endToEndId }) => endToEndId ?? [])
}

/** The file that the report names. If it names none, the only file with its orders. */
async function fileOf(tx: Executor, report: StatusReport): Promise<BankFile> {
  const { originalId } = report
  const operationIds = namedOrders(report).flatMap((name) => withHyphens(name) ?? [])
  const [id, ...others] =
    originalId === undefined ? await filesWithOrdersOf(tx, operationIds) : [fileIdOfMessage(originalId)]
  const file = id === undefined || others.length > 0 ? undefined : await findBankFile(tx, id)
  if (file !== undefined) return file
  throw new FileRefused(
    originalId === undefined
      ? 'it does not name its file, and its orders belong to no file or to several'
      : `it is about the file ${originalId}, which was not written here`,
  )
}

interface StatusOfOrder {
  readonly status?: string | undefined
  readonly reasons: readonly StatusReason[]
}

/** The status of each order: its own, or that of its group or file. The reasons of all three are joined. */
function statusesByOrder(
  report: StatusReport,
  file: BankFile,
  orders: readonly StoredOrder[],
): Map<StoredOrder, StatusOfOrder> {
  const { status, groups } = report
  const ofFile = reasonsFor(report)
  const all = [...ofFile, ...groups.filter(isUnnamed).flatMap(reasonsFor)]
  const statuses = new Map<StoredOrder, StatusOfOrder>(
    orders.map((order) => [order, { status, reasons: all }]),
  )
  const byOperation = new Map(orders.map((order) => [order.operationId, order]))
  const byGroup = new Map(groupsOf(file, orders).map((group) => [group.id, group.orders]))
  const parts = groups.map((group) => ({ ...group, reasons: [...reasonsFor(group), ...ofFile] }))
  for (const { groupId, reasons, ...group } of parts) {
    const ofGroup = groupId === undefined ? [] : byGroup.get(groupId.toLowerCase())
    if (ofGroup === undefined && group.status !== undefined)
      throw new FileRefused(`${groupId} is no group of the file ${file.name}`, group.line)
    for (const order of ofGroup ?? []) statuses.set(order, { status: group.status ?? status, reasons })
  }
  for (const { orders: named, reasons } of [{ orders: report.orders, reasons: ofFile }, ...parts])
    for (const { endToEndId, line, ...one } of named.filter(isNamed)) {
      const order = byOperation.get(withHyphens(endToEndId) ?? '')
      if (order === undefined)
        throw new FileRefused(`${endToEndId} is no order of the file ${file.name}`, line)
      statuses.set(order, { status: one.status, reasons: [...one.reasons, ...reasons] })
    }
  return statuses
}

/** If the bank calls an unnamed order a duplicate, any order can be meant. */
function reasonsFor({ reasons, orders }: Pick<GroupStatus, 'reasons' | 'orders'>): StatusReason[] {
  const unnamed = orders.filter((order) => !isNamed(order))
  return [...reasons, ...unnamed.flatMap((order) => order.reasons).filter(isDuplicate)]
}

function isUnnamed({ groupId, orders }: GroupStatus): boolean {
  return groupId === undefined && !orders.some(isNamed)
}

function isNamed(order: OrderStatus): order is OrderStatus & { readonly endToEndId: string } {
  return order.endToEndId !== undefined
}
