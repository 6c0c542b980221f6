// Status reports (pain.002), which reject orders before they are booked.
import type { Instant } from '../../kernel/time.ts'
import type { Executor } from '../../storage/index.ts'
import { unconfirmedOf } from '../by-hand/store.ts'
import { fileIdOfMessage, groupsOf, messageIdOf, withHyphens } from '../groups.ts'
import type { BankFile, StoredOrder } from '../model.ts'
import { FileRefused } from './document.ts'
import {
  type Entry,
  type GroupStatus,
  noticeOf,
  type OrderStatus,
  type StatusReason,
  type StatusReport,
} from './messages.ts'
import { contradictionOf, hintOf, isDuplicate, isRefused, type StatusOfOrder, textOfReason } from './rules.ts'
import {
  type AnsweredOrder,
  answerOrders,
  filesOfOrders,
  findBankFile,
  lockOrdersIn,
  noteHints,
} from './store.ts'

interface TakenStatus {
  readonly answers: readonly AnsweredOrder[]
  /** The number of orders that stay open with a hint. */
  readonly hinted: number
  /** One for each name in the report that is not ours. */
  readonly notices: readonly Entry[]
}

/** A rejection is final; an accepted order is not paid yet. */
export async function takeStatus(tx: Executor, stated: StatusReport, now: Instant): Promise<TakenStatus> {
  const fileIds = await filesOfOrders(tx, operationsNamed(stated))
  const files = await filesOf(tx, stated, fileIds)
  const orders = files.flatMap((one) => one.orders)
  const groups = new Map(
    files.flatMap((one) => groupsOf(one.file, one.orders)).map((group) => [group.id, group.orders]),
  )
  const known: KnownNames = {
    orders: new Map(orders.map((order) => [order.operationId, order])),
    groups,
    fileIds,
  }
  const { report, notices } = withKnownNames(stated, known)
  const byHand = await unconfirmedOf(tx, orders)
  const answers: AnsweredOrder[] = []
  const hints: { wallet_id: bigint; id: string; hint: string }[] = []
  for (const [{ walletId, id, answer }, status] of statusesByOrder(report, known)) {
    const [settled] = byHand.get(id) ?? []
    // If the bank rejects a duplicate, the first order may still be paid, so the answer stays open.
    if (answer === undefined && isRefused(status.status) && !status.reasons.some(isDuplicate)) {
      const returnCode = status.reasons.find(({ code }) => code !== undefined)?.code
      answers.push({ walletId, id, answer: 'returned', returnCode })
    }
    if (answer === 'returned' || (answer === 'paid' && settled === undefined)) continue
    const hint = settled ? contradictionOf(settled, status.status, status.reasons) : hintOf(status)
    if (hint !== undefined) hints.push({ wallet_id: walletId, id, hint })
  }
  await answerOrders(tx, answers, now)
  await noteHints(tx, hints)
  return { answers, hinted: hints.length, notices }
}

/** Ids of the orders that the report names. */
export function namedOrders({ orders, groups }: Pick<StatusReport, 'orders' | 'groups'>): string[] {
  return [...orders, ...groups.flatMap((group) => group.orders)].flatMap(({ endToEndId }) => endToEndId ?? [])
}

function operationsNamed(report: StatusReport): string[] {
  return namedOrders(report).flatMap((name) => withHyphens(name) ?? [])
}

/** The file that the report names with its orders, which are locked. If it names none, the files with its orders. */
async function filesOf(
  tx: Executor,
  report: StatusReport,
  filesOfNamed: ReadonlyMap<string, string>,
): Promise<{ readonly file: BankFile; readonly orders: readonly StoredOrder[] }[]> {
  const { originalId } = report
  const ids =
    originalId === undefined
      ? [...new Set(filesOfNamed.values())]
      : [fileIdOfMessage(originalId) ?? []].flat()
  const files = []
  for (const id of ids.toSorted()) {
    const file = await findBankFile(tx, id)
    if (file !== undefined) files.push({ file, orders: await lockOrdersIn(tx, id) })
  }
  if (files.length > 0) return files
  const problem =
    originalId === undefined
      ? 'it does not name its file or an order of ours'
      : `it is about the file ${originalId}, which was not written here`
  const [reason] = report.reasons
  throw new FileRefused(reason === undefined ? problem : `${problem} (${textOfReason(reason)})`)
}

interface KnownNames {
  readonly orders: ReadonlyMap<string, StoredOrder>
  readonly groups: ReadonlyMap<string, readonly StoredOrder[]>
  /** The files of named operations, also of those in other files. */
  readonly fileIds: ReadonlyMap<string, string>
}

function orderNamed(known: KnownNames, { endToEndId = '' }: OrderStatus): StoredOrder | undefined {
  return known.orders.get(withHyphens(endToEndId) ?? '')
}

function groupNamed(known: KnownNames, { groupId = '' }: GroupStatus): readonly StoredOrder[] | undefined {
  return known.groups.get(groupId.toLowerCase())
}

/** Removes names that are not ours, because such a name tells as little as no name. Returns a notice for each. */
function withKnownNames(report: StatusReport, known: KnownNames) {
  const notices: Entry[] = []
  const notice = (name: string, of: OrderStatus | GroupStatus, problem: string) => {
    const text = [name, of.status, ...of.reasons.flatMap((reason) => [reason.code, reason.text])]
    notices.push(noticeOf(of.line, problem, text.filter((part) => part !== undefined).join(' ')))
  }
  const ordersOf = (orders: readonly OrderStatus[]) =>
    orders.map((order): OrderStatus => {
      const { endToEndId } = order
      if (endToEndId === undefined || orderNamed(known, order) !== undefined) return order
      const fileId = known.fileIds.get(withHyphens(endToEndId) ?? '')
      const problem =
        fileId === undefined
          ? 'no order of ours has this name'
          : `this order belongs to the file ${messageIdOf({ id: fileId })}, and the report is about another one`
      notice(endToEndId, order, problem)
      return { ...order, endToEndId: undefined }
    })
  const groups = report.groups.map((group): GroupStatus => {
    const { groupId, status } = group
    const orders = ordersOf(group.orders)
    if (groupId === undefined || groupNamed(known, group) !== undefined) return { ...group, orders }
    if (status !== undefined) notice(groupId, group, 'no group of its file has this name')
    return { ...group, orders, groupId: undefined }
  })
  return { report: { ...report, groups, orders: ordersOf(report.orders) }, notices }
}

/** The status of each order: its own, or that of its group or file. The reasons of all three are joined. */
function statusesByOrder(report: StatusReport, known: KnownNames): Map<StoredOrder, StatusOfOrder> {
  const unnamed = report.groups.filter(({ groupId }) => groupId === undefined)
  const unnamedParts = [...unnamed, ...[report, ...unnamed].flatMap(({ orders }) => orders.filter(isUnnamed))]
  const ofFile = reasonsFor(report)
  const withoutOrders = unnamed.filter(({ orders }) => orders.every(isUnnamed))
  const all = statusOfPart(report.status, unnamedParts, [...ofFile, ...withoutOrders.flatMap(reasonsFor)])
  const statuses = new Map([...known.orders.values()].map((order) => [order, all]))
  const groups = report.groups.map((group) => ({ ...group, reasons: [...reasonsFor(group), ...ofFile] }))
  for (const group of groups) {
    const own = statusOfPart(group.status ?? report.status, group.orders.filter(isUnnamed), group.reasons)
    for (const order of groupNamed(known, group) ?? [])
      statuses.set(order, { ...own, uncertain: own.uncertain ?? all.uncertain })
  }
  for (const part of [{ orders: report.orders, reasons: ofFile }, ...groups])
    for (const one of part.orders) {
      const order = orderNamed(known, one)
      if (order === undefined) continue
      const { uncertain } = statuses.get(order) ?? all
      statuses.set(order, { status: one.status, reasons: [...one.reasons, ...part.reasons], uncertain })
    }
  for (const [order, contradiction] of contradictions(report, known))
    statuses.set(order, { ...(statuses.get(order) ?? all), status: undefined, contradiction })
  return statuses
}

function statusOfPart(
  status: string | undefined,
  unnamed: readonly StatusOfOrder[],
  reasons: readonly StatusReason[],
): StatusOfOrder {
  return { status, reasons, uncertain: unnamed.find((one) => isRefused(one.status))?.reasons }
}

/** The orders that the report rejects and accepts, with the reasons of the rejection. They get no answer. */
function contradictions(report: StatusReport, known: KnownNames): Map<StoredOrder, readonly StatusReason[]> {
  const ordersIn = (part: Pick<StatusReport, 'orders'>) =>
    part.orders.flatMap((one) => orderNamed(known, one) ?? [])
  const named = [...report.orders, ...report.groups.flatMap(({ orders }) => orders)]
  const ofOrders = [...Map.groupBy(named, (one) => orderNamed(known, one))].map(([order, statuses]) => ({
    orders: order === undefined ? [] : [order],
    reasons: contradictionIn([], statuses),
  }))
  const ofGroups = report.groups.map((group) => ({
    orders: [...(groupNamed(known, group) ?? []), ...ordersIn(group)],
    reasons: contradictionIn([group], group.orders),
  }))
  const ofFile = {
    orders: [...known.orders.values()],
    reasons: contradictionIn([report], [...report.groups, ...named]),
  }
  return new Map(
    [...ofOrders, ...ofGroups, ofFile].flatMap(({ orders, reasons }) =>
      reasons === undefined ? [] : orders.map((order) => [order, reasons] as const),
    ),
  )
}

/** The reasons of a rejection, if one of the `parts` is accepted. An accepted file or group may have rejected parts. */
function contradictionIn(
  whole: readonly StatusOfOrder[],
  parts: readonly StatusOfOrder[],
): readonly StatusReason[] | undefined {
  const rejected = (whole.length === 0 ? parts : whole).find(({ status }) => isRefused(status))
  const isAccepted = parts.some(({ status }) => status !== undefined && !isRefused(status))
  return rejected !== undefined && isAccepted ? rejected.reasons : undefined
}

/** If the bank calls an unnamed order a duplicate, any order can be meant. */
function reasonsFor({ reasons, orders }: Pick<GroupStatus, 'reasons' | 'orders'>): StatusReason[] {
  return [...reasons, ...orders.filter(isUnnamed).flatMap((order) => order.reasons.filter(isDuplicate))]
}

function isUnnamed({ endToEndId }: OrderStatus): boolean {
  return endToEndId === undefined
}
