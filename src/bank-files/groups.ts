// How the orders of a file are grouped, and what file and groups are called there: a bank answers by these names.
import { type Day, lisbonDayOf } from '../kernel/lisbon.ts'
import { nextTargetDay } from '../kernel/target-days.ts'
import type { BankFile, BankOrder } from './model.ts'

/** Orders of a file that the bank does on one day, and may book as one. */
export interface OrderGroup<Order> {
  /** At most 35 characters. */
  readonly id: string
  readonly day: Day
  readonly orders: readonly Order[]
}

const identificationLengthMax = 35
const messagePrefix = 'CMP'

/** The same file and orders make the same groups, so that they are known again when the bank answers. */
export function groupsOf<Order extends Pick<BankOrder, 'dueOn'>>(
  file: Pick<BankFile, 'id' | 'createdAt'>,
  orders: readonly Order[],
): OrderGroup<Order>[] {
  // The first day on which the bank can still do what it is asked.
  const earliest = nextTargetDay(lisbonDayOf(file.createdAt))
  const days = Map.groupBy(orders, ({ dueOn }) => [dueOn, earliest].toSorted().at(-1) ?? earliest)
  return [...days].map(([day, ofDay], index) => ({
    id: `${withoutHyphens(file.id)}-${index}`.slice(-identificationLengthMax),
    day,
    orders: ofDay,
  }))
}

/** What the file is called in itself (MsgId). */
export function messageIdOf({ id }: Pick<BankFile, 'id'>): string {
  return messagePrefix + withoutHyphens(id)
}

/** The id of the file that is called so in itself; undefined where it is none of ours. */
export function fileIdOfMessage(messageId: string): string | undefined {
  return messageId.startsWith(messagePrefix) ? withHyphens(messageId.slice(messagePrefix.length)) : undefined
}

/** The id of the file to which a group of this name belongs; undefined where it cannot be one of ours. */
export function fileIdOfGroup(groupId: string): string | undefined {
  return withHyphens(groupId.slice(0, 32))
}

export function withoutHyphens(id: string): string {
  return id.replaceAll('-', '')
}

/** The UUID that was written without hyphens; undefined where the text is none. */
export function withHyphens(text: string): string | undefined {
  const [, ...parts] =
    /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/i.exec(text) ?? []
  return parts.length === 0 ? undefined : parts.join('-').toLowerCase()
}

/** Names of the form that we give to orders, groups and files, in a text of a bank; each once, in lower case but for the prefix. */
export function namesIn(text: string): string[] {
  const names = text.matchAll(/(?<![0-9a-z])(CMP)?([0-9a-f]{32}(?:-\d{1,2})?)(?![0-9a-z])/gi)
  return [
    ...new Set([...names].map(([, prefix = '', name = '']) => prefix.toUpperCase() + name.toLowerCase())),
  ]
}
