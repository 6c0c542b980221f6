// Groups of orders in a file, and the names by which banks refer to them.
import { type Day, lisbonDayOf } from '../kernel/lisbon.ts'
import { nextTargetDay } from '../kernel/target-days.ts'
import type { BankFile, BankOrder } from './model.ts'

/** Orders of one file with the same execution day. The bank may book them as one amount. */
export interface OrderGroup<Order> {
  readonly id: string
  readonly day: Day
  readonly orders: readonly Order[]
}

const identificationLengthMax = 35
const messagePrefix = 'CMP'

/** The same orders give the same groups, so that the bank's answers lead back to them. */
export function groupsOf<Order extends Pick<BankOrder, 'dueOn'>>(
  file: Pick<BankFile, 'id' | 'createdAt'>,
  orders: readonly Order[],
): OrderGroup<Order>[] {
  const earliest = nextTargetDay(lisbonDayOf(file.createdAt))
  const days = Map.groupBy(orders, ({ dueOn }) => [dueOn, earliest].toSorted().at(-1) ?? earliest)
  return [...days].map(([day, ofDay], index) => ({
    id: `${withoutHyphens(file.id)}-${index}`.slice(-identificationLengthMax),
    day,
    orders: ofDay,
  }))
}

export function messageIdOf({ id }: Pick<BankFile, 'id'>): string {
  return messagePrefix + withoutHyphens(id)
}

export function fileIdOfMessage(messageId: string): string | undefined {
  return messageId.startsWith(messagePrefix) ? withHyphens(messageId.slice(messagePrefix.length)) : undefined
}

/** The id of the file in the id of a group. Undefined if the group is not ours. */
export function fileIdOfGroup(groupId: string): string | undefined {
  return withHyphens(groupId.slice(0, 32))
}

export function withoutHyphens(id: string): string {
  return id.replaceAll('-', '')
}

export function withHyphens(text: string): string | undefined {
  const [, ...parts] =
    /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/i.exec(text) ?? []
  return parts.length === 0 ? undefined : parts.join('-').toLowerCase()
}

/** Finds ids of our orders, groups and files in a text, each once, in lower case after the prefix. */
export function namesIn(text: string): string[] {
  const names = text.matchAll(/(?<![0-9a-z])(CMP)?([0-9a-f]{32}(?:-\d{1,2})?)(?![0-9a-z])/gi)
  return [
    ...new Set([...names].map(([, prefix = '', name = '']) => prefix.toUpperCase() + name.toLowerCase())),
  ]
}
