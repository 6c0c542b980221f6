// Which number a line has among those of equal words: the same line reported again has the same one (decision 0205).
import { derivedId } from '../../../kernel/random.ts'
import type { Executor } from '../../../storage/index.ts'
import type { Entry } from '../messages.ts'
import type { BankReport } from '../model.ts'
import { type Content, numbersOf } from './by-reference.ts'
import { entriesOfLines, type Occurrence, occurrencesOf } from './lines-store.ts'
import { dayIn, isSamePlace } from './places.ts'
import { prepared as preparedLines, reportedLineOf, reportedLinesOf } from './reported-line.ts'

/** A booked line of a file. */
export interface ReportedEntry {
  /** All that makes it the same line in two files of a kind. */
  readonly words: string
  /** Where it stands (`places.ts`). */
  readonly place: string
  /** Which of the statements or notifications in its message it is in. */
  readonly report: number
  readonly entry: Entry
}

/** A booked line with the id that follows from its words and its number. */
export interface Line extends ReportedEntry {
  readonly entryId: string
  /** Whether equal lines of this kind of file stand elsewhere: it is one of them, or another one. */
  readonly isInDoubt: boolean
}

/**
 * Numbers lines of equal words, from 1 on, in the order of their file. Without a reference of the bank, a number that this
 * kind of file has reported elsewhere is passed over where nothing says that the two are one line; with one, a number is that
 * of the known line which nothing contradicts.
 */
export async function numbered(
  tx: Executor,
  kind: BankReport['kind'],
  entries: readonly ReportedEntry[],
): Promise<Line[]> {
  const lines = new Map<ReportedEntry, Line>()
  let waiting = [...Map.groupBy(entries, ({ words }) => words).values()]
  for (let spare = 1; waiting.length > 0; spare *= 16) {
    const idsOf = (group: readonly ReportedEntry[]) =>
      Array.from({ length: group.length + spare }, (_, index) => idOf(group[0] as ReportedEntry, index + 1))
    const [referenced, others] = [true, false].map((has) =>
      waiting.filter(([one]) => (one?.entry.servicerReference !== undefined) === has),
    ) as [ReportedEntry[][], ReportedEntry[][]]
    const contents = await contentsOf(tx, kind, referenced.flatMap(idsOf))
    const occurrences = await occurrencesOf(
      tx,
      kind,
      others.filter((group) => group.some(mayBeAnother)).flatMap(idsOf),
    )
    waiting = waiting.filter((group) => {
      const max = group.length + spare
      const placed = referenced.includes(group)
        ? placedByReference(group, contents, max)
        : placedAmong(group, occurrences, max)
      for (const [index, line] of (placed ?? []).entries()) lines.set(group[index] as ReportedEntry, line)
      return placed === undefined
    })
  }
  return entries.map((entry) => lines.get(entry) as Line)
}

/** Lines of equal words with their numbers; undefined where these are above `numbersMax`, as far as occurrences are known. */
function placedAmong(
  group: readonly ReportedEntry[],
  occurrences: ReadonlyMap<string, Occurrence>,
  numbersMax: number,
): Line[] | undefined {
  let number = 0
  let isInDoubt = false
  const lines: Line[] = []
  for (const one of group) {
    number += 1
    while (mayBeAnother(one) && isReportedElsewhere(one, occurrences.get(idOf(one, number)))) {
      isInDoubt = true
      number += 1
    }
    if (number > numbersMax) return undefined
    lines.push({ ...one, entryId: idOf(one, number), isInDoubt })
  }
  return lines
}

/** Known lines by their ids: as this kind of file has reported them, or else the other one. */
async function contentsOf(
  tx: Executor,
  kind: BankReport['kind'],
  ids: readonly string[],
): Promise<ReadonlyMap<string, Content>> {
  const contents = new Map<string, Content>()
  const known = await entriesOfLines(tx, kind, ids)
  // What this kind of file reported comes last, and counts.
  for (const isOfKind of [false, true])
    for (const [lineId, ofLine] of Map.groupBy(
      known.filter((one) => one.isOfKind === isOfKind),
      (one) => one.lineId,
    )) {
      const entries = ofLine.map(({ entry }) => entry)
      const [line] = preparedLines(reportedLinesOf(entries.filter(({ hasDetails }) => hasDetails)))
      const [first] = ofLine
      const reportedOn = first?.isReportedAgain ? dayIn(first.placeAgain) : first?.entry.bookedOn
      contents.set(lineId, { line, day: isOfKind ? reportedOn : undefined })
    }
  return contents
}

/**
 * Lines under one reference of the bank, which mostly is one line. Some banks give it to all lines of a batch, or to others
 * on other days: then a statement of them has several, and they are distinguished by what they say.
 */
function placedByReference(
  group: readonly ReportedEntry[],
  known: ReadonlyMap<string, Content>,
  numbersMax: number,
): Line[] | undefined {
  const lines = new Map<ReportedEntry, Line>()
  const contents = new Map<number, Content>()
  for (let number = 1; number <= numbersMax; number++) {
    const content = known.get(idOf(group[0] as ReportedEntry, number))
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

function contentOf({ entry }: ReportedEntry): Content {
  const [line] = entry.hasDetails ? preparedLines(new Map([['', reportedLineOf(entry)]])) : []
  return { line, day: entry.bookedOn }
}

function idOf({ words }: ReportedEntry, number: number): string {
  return derivedId(`${words} ${number}`, 'bank entry')
}

/** Without a reference of the bank, and with a transaction that neither its payer nor we gave one; orders of ours are done once. */
function mayBeAnother({ entry }: ReportedEntry): boolean {
  const { servicerReference, transactions } = entry
  return (
    servicerReference === undefined &&
    transactions.some((one) => one.endToEndId === undefined && one.paymentGroupId === undefined)
  )
}

/** Versions before did not keep where: equal lines counted as one. */
function isReportedElsewhere({ place }: ReportedEntry, occurrence: Occurrence | undefined): boolean {
  return occurrence?.place !== undefined && !isSamePlace(occurrence.place, place)
}
