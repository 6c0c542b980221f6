// Which lines of a file were told before: by another file of its kind, or once by a file of the other kind (decision 0205).
import type { Executor } from '../../../storage/index.ts'
import type { Entry } from '../messages.ts'
import type { BankReport } from '../model.ts'
import {
  entriesToldOnce,
  findToldAgain,
  type KnownLine,
  knownLines,
  noteToldAgain,
  secondIdOf,
} from './lines-store.ts'
import { type Line, numbered, type ToldEntry } from './numbers.ts'
import { type SameLines, sameLines } from './same-line.ts'
import { isOrder, toldLineOf, toldLinesOf } from './told-line.ts'

export interface Recognised {
  /** In the order of the file, with the ids under which they are kept. */
  readonly lines: readonly Line[]
  /** Those that are known, by these ids; `true` for those that nothing followed from, for want of their transactions. */
  readonly known: ReadonlyMap<string, boolean>
  /** Lines that were in doubt, and are told by the other kind of file too: they are lines of their own. */
  readonly confirmed: ReadonlySet<string>
}

/**
 * Finds the known lines among those of a file, and notes which of them this kind of file tells for the first time: a line of a
 * notification is one of the statements at the most, and the other way, so that what is credited of equal lines is as many
 * as the kind of file has that has more of them.
 */
export async function recognise(
  tx: Executor,
  report: Pick<BankReport, 'id' | 'kind'>,
  told: readonly ToldEntry[],
): Promise<Recognised> {
  const lines = await numbered(tx, report.kind, told)
  const { keptAs, known, noted, confirmed } = await byWords(tx, report.kind, lines)
  await noteLines(tx, report, lines, noted)
  const undecided = new Set<string>()
  // What is in doubt is a line of its own only where the sure ones are not enough.
  for (const inDoubt of [false, true]) {
    const unknown = lines.filter(({ entryId }) => !known.has(keptAs.get(entryId) ?? entryId))
    const found = await findAlike(tx, report.kind, unknown, inDoubt)
    await noteLines(tx, report, lines, found.same)
    for (const line of unknown) {
      const same = found.same.get(line.entryId)
      if (same === undefined) continue
      keptAs.set(line.entryId, same)
      known.set(same, false)
      if (inDoubt && !line.isInDoubt) confirmed.add(same)
    }
    for (const id of found.undecided) undecided.add(id)
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
  const again = await findToldAgain(tx, kind, ids)
  const keptAs = new Map<string, string>()
  const known = new Map<string, boolean>()
  /** Known lines that this kind of file tells for the first time. */
  const noted = new Map<string, string>()
  const recogniseAs = (id: string, same: string) => {
    keptAs.set(id, same)
    known.set(same, before.get(same)?.isOpen ?? false)
  }
  const confirmed = new Set<string>()
  for (const { entryId: id, entry, isInDoubt } of lines) {
    const line = before.get(id)
    const same = again.get(id)
    const second = secondIds.get(id) ?? id
    if (same !== undefined) recogniseAs(id, same)
    else if (line?.isTold === true) recogniseAs(id, id)
    else if (line !== undefined && isLine(line, entry)) {
      noted.set(id, id)
      recogniseAs(id, id)
      if (line.doubt === 'open' && !isInDoubt) confirmed.add(id)
    } else if (before.get(second)?.isTold === true) recogniseAs(id, second)
    // The line of that id is another one of this kind of file, which was told in other words, or in doubt.
    else keptAs.set(id, line === undefined ? id : second)
  }
  return { keptAs, known, noted, confirmed }
}

/** Whether a known line may be that of the other kind of file: a doubt only where a reference of the bank says so. */
function isLine({ isToldAgain, doubt }: KnownLine, { servicerReference }: Entry): boolean {
  return !isToldAgain && (doubt === undefined || (doubt === 'open' && servicerReference !== undefined))
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
  const again = [...once.values()].flatMap(({ entryId, toldIn }) => {
    const sameAs = same.get(entryId)
    return sameAs === undefined ? [] : [{ entryId, toldIn, sameAs }]
  })
  await noteToldAgain(tx, report, again)
}

/** For lines that no file has told so: the lines that the other kind of file told, each once; those in doubt or the others. */
async function findAlike(
  tx: Executor,
  kind: BankReport['kind'],
  lines: readonly Line[],
  inDoubt: boolean,
): Promise<SameLines> {
  const asked = lines.filter(({ entry }) => entry.hasDetails && !isGroup(entry))
  const days = new Set(asked.flatMap(({ entry: { bookedOn } }) => bookedOn ?? []))
  const entries = await entriesToldOnce(tx, kind, [...days])
  const told = toldLinesOf(entries.filter((one) => (one.inDoubt && one.state === 'UNMATCHED') === inDoubt))
  return sameLines(new Map(asked.map(({ entryId, entry }) => [entryId, toldLineOf(entry)])), told)
}

/** Whether a group of our orders was booked as one: what it is made of is in no file of the bank. */
function isGroup({ transactions }: Entry): boolean {
  return transactions.some((one) => one.paymentGroupId !== undefined && !isOrder(one.endToEndId))
}
