// Which lines of a file were reported before: by another file of its kind, or once by a file of the other kind (decision 0205).
import type { Executor } from '../../../storage/index.ts'
import type { Entry } from '../messages.ts'
import type { BankEntry, BankReport } from '../model.ts'
import {
  entriesReportedOnce,
  findReportedAgain,
  type KnownLine,
  knownLines,
  noteReportedAgain,
  secondIdOf,
} from './lines-store.ts'
import { type Line, numbered, type ReportedEntry } from './numbers.ts'
import { isOrder, type ReportedLine, reportedLineOf, reportedLinesOf } from './reported-line.ts'
import { sameLines } from './same-line.ts'

export interface Recognised {
  /** In the order of the file, with the ids under which they are kept. */
  readonly lines: readonly Line[]
  /** Those that are known, by these ids; `true` for those that nothing followed from, for want of their transactions. */
  readonly known: ReadonlyMap<string, boolean>
  /** Lines that the other kind of file reports too: what of them was in doubt is no more. */
  readonly confirmed: ReadonlySet<string>
}

/**
 * Finds the known lines among those of a file, and notes which of them this kind of file reports for the first time: a line of a
 * notification is one of the statements at the most, and the other way, so that what is credited of equal lines is as many
 * as the kind of file has that has more of them.
 */
export async function recognise(
  tx: Executor,
  report: Pick<BankReport, 'id' | 'kind'>,
  entries: readonly ReportedEntry[],
): Promise<Recognised> {
  const lines = await numbered(tx, report.kind, entries)
  const { keptAs, known, noted, confirmed } = await byWords(tx, report.kind, lines)
  await noteLines(tx, report, lines, noted)
  // A line in doubt may be none, and takes the place of no other one.
  const sure = lines.filter((line) => !line.isInDoubt && !known.has(keptAs.get(line.entryId) ?? line.entryId))
  const { same, undecided } = sameLines(
    new Map(sure.filter(hasLine).map(named)),
    await reportedOnce(tx, report.kind, sure),
  )
  await noteLines(tx, report, lines, same)
  for (const [entryId, sameAs] of same) {
    keptAs.set(entryId, sameAs)
    known.set(sameAs, false)
    confirmed.add(sameAs)
  }
  return {
    lines: lines.map((line) => ({
      ...line,
      entryId: keptAs.get(line.entryId) ?? line.entryId,
      isInDoubt: line.isInDoubt || undecided.has(line.entryId),
    })),
    known,
    confirmed,
  }
}

/** What a file says word for word: under which ids its lines are kept, and which of these are known. */
async function byWords(tx: Executor, kind: BankReport['kind'], lines: readonly Line[]) {
  const ids = lines.map(({ entryId }) => entryId)
  // Of a line whose own id is that of another one: see below.
  const secondIds = new Map(ids.map((id) => [id, secondIdOf(id, kind)]))
  const before = await knownLines(tx, [...ids, ...secondIds.values()], kind)
  const again = await findReportedAgain(tx, kind, ids)
  const keptAs = new Map<string, string>()
  const known = new Map<string, boolean>()
  /** Known lines that this kind of file reports for the first time. */
  const noted = new Map<string, string>()
  const recogniseAs = (id: string, same: string) => {
    keptAs.set(id, same)
    known.set(same, before.get(same)?.isOpen ?? false)
  }
  const confirmed = new Set<string>()
  for (const { entryId: id, isInDoubt } of lines) {
    const line = before.get(id)
    const same = again.get(id)
    const second = secondIds.get(id) ?? id
    if (same !== undefined) recogniseAs(id, same)
    else if (line?.isReported === true) recogniseAs(id, id)
    else if (line !== undefined && isLine(line)) {
      noted.set(id, id)
      recogniseAs(id, id)
      if (!isInDoubt) confirmed.add(id)
    } else if (before.get(second)?.isReported === true) recogniseAs(id, second)
    // The line of that id is another one of this kind of file, which was reported in other words, or in doubt.
    else keptAs.set(id, line === undefined ? id : second)
  }
  return { keptAs, known, noted, confirmed }
}

/**
 * Whether a known line may be that of the other kind of file. A doubt may: its number among equal lines says that the
 * other kind has as many of them.
 */
function isLine({ isReportedAgain, doubt }: KnownLine): boolean {
  return !isReportedAgain && doubt !== 'closed'
}

/** @param same the ids of the known lines that lines of the file are */
async function noteLines(
  tx: Executor,
  report: Pick<BankReport, 'id' | 'kind'>,
  lines: readonly Line[],
  same: ReadonlyMap<string, string>,
): Promise<void> {
  // A message may repeat a line.
  const once = new Map(lines.map((line) => [line.entryId, line]))
  const again = [...once.values()].flatMap(({ entryId, place }) => {
    const sameAs = same.get(entryId)
    return sameAs === undefined ? [] : [{ entryId, place, sameAs }]
  })
  await noteReportedAgain(tx, report, again)
}

/** Lines that only the other kind of file has reported on the days of these, without those in doubt. */
async function reportedOnce(
  tx: Executor,
  kind: BankReport['kind'],
  asked: readonly Line[],
): Promise<ReadonlyMap<string, ReportedLine>> {
  const days = new Set(asked.flatMap(({ entry: { bookedOn } }) => bookedOn ?? []))
  const entries = await entriesReportedOnce(tx, kind, [...days])
  const lines = [...Map.groupBy(entries, ({ entryId }) => entryId).values()]
  return reportedLinesOf(lines.filter((ofLine) => !isDoubt(ofLine)).flat())
}

/** As {@link KnownLine} has it: one of which the operator took a part is a line of its own. */
function isDoubt(ofLine: readonly BankEntry[]): boolean {
  if (ofLine.some(({ inDoubt, state }) => inDoubt && state === 'TRANSFER')) return false
  const isOpen = ofLine.some(({ inDoubt, state }) => inDoubt && state === 'UNMATCHED')
  return isOpen || ofLine.every(({ inDoubt, state }) => inDoubt && state === 'RESOLVED')
}

/** Whether it is known what a line is made of. */
function hasLine({ entry }: Line): boolean {
  return entry.hasDetails && !isGroup(entry)
}

function named({ entryId, entry }: Line): [string, ReportedLine] {
  return [entryId, reportedLineOf(entry)]
}

/** Whether a group of our orders was booked as one: what it is made of is in no file of the bank. */
function isGroup({ transactions }: Entry): boolean {
  return transactions.some((one) => one.paymentGroupId !== undefined && !isOrder(one.endToEndId))
}
