// Which number a line has among those of equal words: the same line told again has the same one (decision 0205).
import { derivedId } from '../../../kernel/random.ts'
import type { Executor } from '../../../storage/index.ts'
import type { AccountReport, Entry } from '../messages.ts'
import type { BankReport } from '../model.ts'
import { entriesOfLines, secondIdOf, type Telling, tellingsOf } from './lines-store.ts'
import { type PossiblePair, pairsAmong } from './pairs.ts'
import {
  contradictionOf,
  likenessOf,
  type PreparedLine,
  prepared as preparedLines,
  toldLineOf,
  toldLinesOf,
} from './told-line.ts'

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
 * Numbers lines of equal words, from 1 on, in the order of their file. Without a reference of the bank, a number that this
 * kind of file has told elsewhere is passed over where nothing says that the two are one line; with one, a number is that
 * of the known line which nothing contradicts.
 */
export async function numbered(
  tx: Executor,
  kind: BankReport['kind'],
  entries: readonly ToldEntry[],
): Promise<Line[]> {
  const lines = new Map<ToldEntry, Line>()
  let waiting = [...Map.groupBy(entries, ({ words }) => words).values()]
  for (let spare = 1; waiting.length > 0; spare *= 4) {
    const idsOf = (group: readonly ToldEntry[]) =>
      Array.from({ length: group.length + spare }, (_, index) => idOf(group[0] as ToldEntry, index + 1))
    const [referenced, others] = [true, false].map((has) =>
      waiting.filter(([one]) => (one?.entry.servicerReference !== undefined) === has),
    ) as [ToldEntry[][], ToldEntry[][]]
    const contents = await contentsOf(tx, kind, referenced.flatMap(idsOf))
    const tellings = await tellingsOf(
      tx,
      kind,
      others.filter((group) => group.some(mayBeAnother)).flatMap(idsOf),
    )
    waiting = waiting.filter((group) => {
      const max = group.length + spare
      const placed = referenced.includes(group)
        ? placedByReference(group, contents, max)
        : placedAmong(group, tellings, max)
      for (const [index, line] of (placed ?? []).entries()) lines.set(group[index] as ToldEntry, line)
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
  for (const one of group) {
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

/** What is known of a line; undefined where it came without its transactions, or is a group of orders. */
interface Content {
  readonly line: PreparedLine | undefined
  /** Of the kind of file that is read. */
  readonly isOfKind: boolean
}

/** Known lines by their ids: as this kind of file has told them, or else the other one. */
async function contentsOf(
  tx: Executor,
  kind: BankReport['kind'],
  ids: readonly string[],
): Promise<Map<string, Content>> {
  const ownIds = new Map(ids.map((id) => [secondIdOf(id, kind), id]))
  const known = await entriesOfLines(tx, kind, [...ids, ...ownIds.keys()])
  const told = known.flatMap(({ entry }) => (entry.hasDetails ? [entry] : []))
  const prepared = new Map(preparedLines(toldLinesOf(told)).map((line) => [line.id, line]))
  const contents = new Map<string, Content>()
  for (const { entry, isOfKind } of known) {
    const id = ownIds.get(entry.entryId) ?? entry.entryId
    if (contents.get(id)?.isOfKind !== true) contents.set(id, { line: prepared.get(entry.entryId), isOfKind })
  }
  return contents
}

/**
 * Lines under one reference of the bank, which mostly is one line. Some banks give it to all lines of a batch, or to others
 * on other days: then a statement of them has several, and they are told apart by what they say.
 */
function placedByReference(
  group: readonly ToldEntry[],
  known: ReadonlyMap<string, Content>,
  numbersMax: number,
): Line[] | undefined {
  const lines = new Map<ToldEntry, Line>()
  const contents = new Map<number, Content>()
  for (let number = 1; number <= numbersMax; number++) {
    const content = known.get(idOf(group[0] as ToldEntry, number))
    if (content !== undefined) contents.set(number, content)
  }
  for (const ofReport of Map.groupBy(group, ({ report }) => report).values()) {
    const before = [...contents]
    const asked = ofReport.map((one) => contentOf(one))
    const possible = asked.flatMap((one, first) =>
      before.flatMap(([second, other]): PossiblePair[] =>
        differenceOf(one, other) === 'none' ? [{ first, second, rank: rankOf(one, other) }] : [],
      ),
    )
    const numbers = new Map(pairsAmong(possible).map(({ first, second }) => [first, second]))
    const taken = new Set(numbers.values())
    const left = before.filter(([number]) => !taken.has(number))
    for (const [index, one] of ofReport.entries()) {
      const content = asked[index] as Content
      let number = numbers.get(index)
      const isInDoubt =
        number === undefined && left.some(([, other]) => differenceOf(content, other) === 'doubtful')
      if (number === undefined) {
        for (number = 1; contents.has(number); ) number += 1
        if (number > numbersMax) return undefined
        contents.set(number, content)
      }
      lines.set(one, { ...one, entryId: idOf(one, number), isInDoubt })
    }
  }
  return group.map((one) => lines.get(one) as Line)
}

function contentOf({ entry }: ToldEntry): Content {
  const [line] = entry.hasDetails ? preparedLines(new Map([['', toldLineOf(entry)]])) : []
  return { line, isOfKind: true }
}

/** A kind of file tells a line on one day; the other may tell it on another. */
function differenceOf(
  { line: one }: Content,
  { line: other, isOfKind }: Content,
): ReturnType<typeof contradictionOf> {
  if (one === undefined || other === undefined) return 'none'
  const difference = contradictionOf(one, other)
  const isOrdered = one.transactions.every(({ isOrder }) => isOrder)
  return difference === 'none' && isOfKind && one.bookedOn !== other.bookedOn && !isOrdered
    ? 'doubtful'
    : difference
}

function rankOf({ line: one }: Content, { line: other }: Content): number {
  return one === undefined || other === undefined ? 2 : likenessOf(one, other)
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
