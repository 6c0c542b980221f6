// Which number a line has among those of equal words: the same line told again has the same one (decision 0205).
import { derivedId } from '../../../kernel/random.ts'
import type { Executor } from '../../../storage/index.ts'
import type { AccountReport, Entry } from '../messages.ts'
import type { BankReport } from '../model.ts'
import { type Content, numbersOf } from './by-reference.ts'
import { entriesOfLines, type Telling, tellingsOf } from './lines-store.ts'
import { prepared as preparedLines, toldLineOf, toldLinesOf } from './told-line.ts'

/** A booked line of a file. */
export interface ToldEntry {
  /** All that makes it the same line in two files of a kind. */
  readonly words: string
  /** Where it stands ({@link placeIn}). */
  readonly place: string
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
  for (let spare = 1; waiting.length > 0; spare *= 16) {
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

/** Known lines by their ids: as this kind of file has told them, or else the other one. */
async function contentsOf(
  tx: Executor,
  kind: BankReport['kind'],
  ids: readonly string[],
): Promise<ReadonlyMap<string, Content>> {
  const contents = new Map<string, Content>()
  const known = await entriesOfLines(tx, kind, ids)
  // What this kind of file told comes last, and counts.
  for (const isOfKind of [false, true])
    for (const [lineId, ofLine] of Map.groupBy(
      known.filter((one) => one.isOfKind === isOfKind),
      (one) => one.lineId,
    )) {
      const entries = ofLine.map(({ entry }) => entry)
      const [line] = preparedLines(toldLinesOf(entries.filter(({ hasDetails }) => hasDetails)))
      const [first] = ofLine
      const toldOn = first?.isToldAgain ? placeOf(first.placeAgain).day : first?.entry.bookedOn
      contents.set(lineId, { line, day: isOfKind ? toldOn : undefined })
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
  let free = 1
  for (const ofReport of Map.groupBy(group, ({ report }) => report).values()) {
    const asked = ofReport.map(contentOf)
    const { numbers, doubtful } = numbersOf(asked, contents)
    for (const [index, one] of ofReport.entries()) {
      let number = numbers.get(index)
      if (number === undefined) {
        while (contents.has(free)) free += 1
        if (free > numbersMax) return undefined
        number = free
        contents.set(number, asked[index] as Content)
      }
      lines.set(one, { ...one, entryId: idOf(one, number), isInDoubt: doubtful.has(index) })
    }
  }
  return group.map((one) => lines.get(one) as Line)
}

function contentOf({ entry }: ToldEntry): Content {
  const [line] = entry.hasDetails ? preparedLines(new Map([['', toldLineOf(entry)]])) : []
  return { line, day: entry.bookedOn }
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
function isToldElsewhere({ place }: ToldEntry, telling: Telling | undefined): boolean {
  return telling?.place !== undefined && !isSamePlace(telling.place, place)
}

/** Where a line stands: the statement or notification by its id, and as far as they are known the days on which its lines are. */
interface Place {
  readonly id?: string
  readonly day?: string
  /** The balance before the day, in cents. */
  readonly before?: string
  /** The first day and the last of the statement. */
  readonly from?: string
  readonly to?: string
}

/** Where a line stands, as text. */
export function placeIn({ id, opening, entries }: AccountReport, { bookedOn: day }: Entry): string {
  const days = entries.flatMap(({ bookedOn }) => bookedOn ?? []).toSorted()
  const place: Place = { id, ...(day !== undefined && { day }) }
  if (opening === undefined || day === undefined || days.length < entries.length) return JSON.stringify(place)
  let before: bigint = opening
  for (const { bookedOn = day, direction, amount } of entries)
    if (bookedOn < day) before += direction === 'credit' ? amount : -amount
  return JSON.stringify({ ...place, before: String(before), from: days[0], to: days.at(-1) })
}

function placeOf(text: string | undefined): Place {
  return text === undefined ? {} : (JSON.parse(text) as Place)
}

/**
 * A statement of a month and that of a day have the balance before the day in common. Two of the same days have other
 * lines, also where they begin with the same balance, as an account does that is emptied.
 */
function isSamePlace(...texts: [string, string]): boolean {
  const [one, other] = texts.map(placeOf) as [Place, Place]
  if (one.id === other.id) return true
  if (one.before === undefined || one.before !== other.before) return false
  return one.from !== other.from || one.to !== other.to
}
