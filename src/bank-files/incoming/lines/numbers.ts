// Which number a line has among those of equal words: the same line told again has the same one (decision 0205).
import { derivedId } from '../../../kernel/random.ts'
import type { Executor } from '../../../storage/index.ts'
import type { AccountReport, Entry } from '../messages.ts'
import type { BankReport } from '../model.ts'
import { type Telling, tellingsOf } from './lines-store.ts'

/** A booked line of a file. */
export interface ToldEntry {
  /** All that makes it the same line in two files of a kind. */
  readonly words: string
  /** Where it stands ({@link placeIn}). */
  readonly toldIn: string
  /** Which of the statements or notifications in its message it is in. */
  readonly report: number
  readonly entry: Entry
}

/** A booked line with the id that follows from its words and its number. */
export interface Line extends ToldEntry {
  readonly entryId: string
  /** Whether equal lines of this kind of file stand elsewhere: it is one of them, or another one. */
  readonly isInDoubt: boolean
}

/**
 * Numbers lines of equal words, from 1 on, in the order of their file. A number that this kind of file has told elsewhere
 * is passed over, where nothing says that the two are one line.
 */
export async function numbered(
  tx: Executor,
  kind: BankReport['kind'],
  entries: readonly ToldEntry[],
): Promise<Line[]> {
  const lines = new Map<ToldEntry, Line>()
  let waiting = [...Map.groupBy(entries, ({ words }) => words).values()]
  for (let spare = 1; waiting.length > 0; spare *= 4) {
    const asked = waiting
      .filter((group) => group.some(mayBeAnother))
      .flatMap((group) => group.concat(Array(spare).fill(group[0])).map((one, index) => idOf(one, index + 1)))
    const tellings = await tellingsOf(tx, kind, asked)
    waiting = waiting.filter((group) => {
      const placed = placedAmong(group, tellings, group.length + spare)
      placed?.forEach((line, index) => {
        lines.set(group[index] as ToldEntry, line)
      })
      return placed === undefined
    })
  }
  return entries.map((entry) => lines.get(entry) as Line)
}

/** Lines of equal words with their numbers; undefined where these are above `numbersMax`, as far as tellings are known. */
function placedAmong(
  group: readonly ToldEntry[],
  tellings: ReadonlyMap<string, Telling>,
  numbersMax: number,
): Line[] | undefined {
  let number = 0
  let isInDoubt = false
  const lines: Line[] = []
  let before: ToldEntry | undefined
  for (const one of group) {
    // A reference of the bank is one line in all that a message has: two only where one statement has both.
    if (one.entry.servicerReference !== undefined && one.report !== before?.report) number = 0
    before = one
    number += 1
    while (mayBeAnother(one) && isToldElsewhere(one, tellings.get(idOf(one, number)))) {
      isInDoubt = true
      number += 1
    }
    if (number > numbersMax) return undefined
    lines.push({ ...one, entryId: idOf(one, number), isInDoubt })
  }
  return lines
}

function idOf({ words }: ToldEntry, number: number): string {
  return derivedId(`${words} ${number}`, 'bank entry')
}

/** Without a reference of the bank, and with a transaction that neither its payer nor we gave one; orders of ours are done once. */
function mayBeAnother({ entry }: ToldEntry): boolean {
  const { servicerReference, transactions } = entry
  return (
    servicerReference === undefined &&
    transactions.some((one) => one.endToEndId === undefined && one.paymentGroupId === undefined)
  )
}

/** Versions before did not keep where: equal lines counted as one. */
function isToldElsewhere({ toldIn }: ToldEntry, telling: Telling | undefined): boolean {
  return telling?.toldIn !== undefined && !isSamePlace(telling.toldIn, toldIn)
}

/**
 * Where a line stands, as text: the statement or notification by its id, and with it the balance before the day of the
 * line and those at the start and end of the statement, where they are known.
 */
export function placeIn({ id, opening, closing, entries }: AccountReport, { bookedOn }: Entry): string {
  const isKnown = entries.every((entry) => entry.bookedOn !== undefined)
  if (opening === undefined || closing === undefined || bookedOn === undefined || !isKnown)
    return JSON.stringify({ id })
  let before: bigint = opening
  for (const { bookedOn: day, direction, amount } of entries)
    if (day !== undefined && day < bookedOn) before += direction === 'credit' ? amount : -amount
  return JSON.stringify({ id, before: String(before), opening: String(opening), closing: String(closing) })
}

/**
 * A statement of a month and that of a day have the balance before the day in common, and begin or end otherwise. An
 * account that comes back to a balance, as one that is emptied does, says nothing by it.
 */
function isSamePlace(...texts: [string, string]): boolean {
  const [one, other] = texts.map((text) => JSON.parse(text) as Record<string, string | undefined>)
  if (one === undefined || other === undefined || one.id === other.id) return true
  if (one.before === undefined || one.before !== other.before) return false
  if (one.before === one.closing || other.before === other.closing) return false
  return one.opening !== other.opening || one.closing !== other.closing
}
