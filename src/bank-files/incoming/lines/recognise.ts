// Which lines of a file were told before: by another file of its kind, or once by a file of the other kind (decision 0205).
import { sumOf } from '../../../kernel/money.ts'
import type { Executor } from '../../../storage/index.ts'
import { withHyphens } from '../../groups.ts'
import type { Entry } from '../messages.ts'
import { type BankEntry, type BankReport, refundedTwiceId } from '../model.ts'
import { entriesToldOnce, findToldAgain, knownLines, noteToldAgain, secondIdOf } from './lines-store.ts'
import { type Line, numbered, type ToldEntry } from './numbers.ts'
import { type SameLines, sameLines } from './same-line.ts'
import type { ToldLine } from './told-line.ts'

export interface Recognised {
  /** In the order of the file, with the ids under which they are kept. */
  readonly lines: readonly Line[]
  /** Those that are known, by these ids; `true` for those that nothing followed from, for want of their transactions. */
  readonly known: ReadonlyMap<string, boolean>
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
  const ids = lines.map(({ entryId }) => entryId)
  // Of a line whose own id is that of another one: see below.
  const secondIds = new Map(ids.map((id) => [id, secondIdOf(id, report.kind)]))
  const before = await knownLines(tx, [...ids, ...secondIds.values()], report.kind)
  const again = await findToldAgain(tx, report.kind, ids)
  const keptAs = new Map<string, string>()
  const known = new Map<string, boolean>()
  const noted = new Map<string, string>()
  const recogniseAs = (id: string, same: string) => {
    keptAs.set(id, same)
    known.set(same, before.get(same)?.isOpen ?? false)
  }

  // First by what files say of it, word for word.
  for (const id of ids) {
    const line = before.get(id)
    const same = again.get(id)
    const second = secondIds.get(id) ?? id
    if (same !== undefined) recogniseAs(id, same)
    else if (line?.isTold === true) recogniseAs(id, id)
    else if (line !== undefined && !line.isToldAgain) {
      noted.set(id, id)
      recogniseAs(id, id)
    } else if (before.get(second)?.isTold === true) recogniseAs(id, second)
    // The line of that id is another one of this kind of file, which was told in other words.
    else keptAs.set(id, line === undefined ? id : second)
  }
  const note = (same: ReadonlyMap<string, string>) =>
    noteToldAgain(
      tx,
      report,
      // A message may repeat a line.
      [...new Map(lines.map((line) => [line.entryId, line])).values()].flatMap(({ entryId, toldIn }) => {
        const sameAs = same.get(entryId)
        return sameAs === undefined ? [] : [{ entryId, toldIn, sameAs }]
      }),
    )
  await note(noted)

  const unknown = lines.filter(({ entryId }) => !known.has(keptAs.get(entryId) ?? entryId))
  const found = await findAlike(tx, report.kind, unknown)
  await note(found.same)
  for (const [id, same] of found.same) recogniseAs(id, same)
  return {
    lines: lines.map((line) => ({
      ...line,
      entryId: keptAs.get(line.entryId) ?? line.entryId,
      isInDoubt: line.isInDoubt || found.undecided.has(line.entryId),
    })),
    known,
  }
}

/** For lines that no file has told so: the lines that the other kind of file told, each once. */
async function findAlike(tx: Executor, kind: BankReport['kind'], lines: readonly Line[]): Promise<SameLines> {
  const asked = lines.filter(({ entry }) => entry.hasDetails && !isGroup(entry))
  const days = new Set(asked.flatMap(({ entry: { bookedOn } }) => bookedOn ?? []))
  const told = toldLinesOf(await entriesToldOnce(tx, kind, [...days]))
  return sameLines(new Map(asked.map(({ entryId, entry }) => [entryId, toldLineOf(entry)])), told)
}

/** Whether a group of our orders was booked as one: what it is made of is in no file of the bank. */
function isGroup({ transactions }: Entry): boolean {
  return transactions.some((one) => one.paymentGroupId !== undefined && !isOrder(one.endToEndId))
}

function isOrder(endToEndId: string | undefined): boolean {
  return withHyphens(endToEndId ?? '') !== undefined
}

function toldLineOf({ direction, bookedOn, servicerReference, transactions }: Entry): ToldLine {
  return {
    ...{ direction, bookedOn, servicerReference },
    transactions: transactions.map(({ amount, currency, party, endToEndId, returnReason, text }) => ({
      ...{ amount, currency, iban: party.iban, endToEndId, returnCode: returnReason, text },
    })),
  }
}

/** By line; without groups of orders. */
function toldLinesOf(entries: readonly BankEntry[]): Map<string, ToldLine> {
  const lines = new Map<string, ToldLine>()
  for (const [entryId, ofLine] of Map.groupBy(wholeAgain(entries), (entry) => entry.entryId)) {
    const [first] = ofLine
    if (first === undefined || ofLine.some((one) => one.orderId !== undefined && !isOrder(one.endToEndId)))
      continue
    const { direction, bookedOn, servicerReference } = first
    lines.set(entryId, {
      ...{ direction, bookedOn, servicerReference },
      transactions: ofLine.map(({ amount, currency, party, endToEndId, returnCode, remittance: text }) => ({
        ...{ amount, currency, iban: party.iban, endToEndId, returnCode, text },
      })),
    })
  }
  return lines
}

/** Transactions as the bank told them: what had been refunded before stands in an entry of its own. */
function wholeAgain(entries: readonly BankEntry[]): BankEntry[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  const parts = new Map(
    entries.flatMap(({ id }) => byId.get(refundedTwiceId(id)) ?? []).map((part) => [part.id, part]),
  )
  return entries.flatMap((entry): BankEntry[] => {
    if (parts.has(entry.id)) return []
    const part = parts.get(refundedTwiceId(entry.id))
    return [part === undefined ? entry : { ...entry, amount: sumOf([entry.amount, part.amount]) }]
  })
}
