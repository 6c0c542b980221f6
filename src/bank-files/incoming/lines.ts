// Which lines of a statement or notification an earlier file has reported (docs/decisions/0013).
import { sumOf } from '../../kernel/money.ts'
import { derivedId } from '../../kernel/random.ts'
import { creditorReferencesIn, lettersAndDigitsOf } from '../../kernel/values/creditor-reference.ts'
import type { Executor } from '../../storage/index.ts'
import { withHyphens } from '../groups.ts'
import { idForSource, type KnownLine, knownLines, noteReportedAgain } from './known-lines.ts'
import type { Entry } from './messages.ts'
import type { BankEntry, BankReport } from './model.ts'

/** A booked line of a file. */
export interface ReportedEntry {
  /** All that makes it the same line in two files of a kind. */
  readonly words: string
  /** JSON: the id of the statement or notification in which it stands, and its day there. */
  readonly place: string
  /** The number of the statement or notification in its message. */
  readonly report: number
  readonly entry: Entry
}

/** A booked line with the id under which it is kept. */
export interface Line extends ReportedEntry {
  readonly entryId: string
  /** The line of an earlier file that it is. */
  readonly known?: KnownLine | undefined
  /** A line of an earlier file that it may be, or may not: only a person can say. */
  readonly maybe?: KnownLine | undefined
}

/**
 * Finds the lines that earlier files reported, and notes which of them this kind of file reports for the first time. A line
 * is known when it has the reference of the bank of a known one, or is identical to it; a known line counts once for each
 * kind of file.
 *
 * @returns the lines in the order of the file
 */
export async function recognise(
  tx: Executor,
  report: Pick<BankReport, 'id' | 'kind'>,
  entries: readonly ReportedEntry[],
): Promise<Line[]> {
  const known = await knownLines(tx, {
    days: entries.flatMap(({ entry }) => entry.bookedOn ?? []),
    references: entries.flatMap(({ entry }) => entry.servicerReference ?? []),
    hasUndated: entries.some(({ entry }) => entry.bookedOn === undefined),
    ids: [...Map.groupBy(entries, ({ words }) => words)].flatMap(([words, { length }]) =>
      Array.from({ length: length + 1 }, (_, index) => idOf(words, index + 1)),
    ),
  })
  const numbered = numberLines(report.kind, entries, known)
  const { identical, left } = pairIdentical(report.kind, numbered, known)
  const lines = numbered.map((line): Line => {
    const same = line.known ?? identical.get(line.entryId)
    return same === undefined ? line : { ...line, known: same, maybe: undefined, entryId: same.entryId }
  })
  const again = new Map(
    lines.flatMap(({ known: one, place }, index) => {
      const { entryId } = numbered[index] as Line
      if (one === undefined || isReportedBy(report.kind, one)) return []
      return [[entryId, { entryId, place, sameAs: one.entryId }] as const]
    }),
  )
  await noteReportedAgain(tx, report, [...again.values()])
  const taken = new Set(lines.map(({ known: one }) => one))
  return lines.map((line): Line => {
    if (line.known !== undefined) return line
    // A file that has both lines, and says how they differ, says that they are two.
    const areTwo = taken.has(line.maybe) && line.maybe !== undefined && contradicts(line.entry, line.maybe)
    const maybe = areTwo ? undefined : line.maybe
    return { ...line, maybe: maybe ?? left(line).find((one) => mayBe(line.entry, one)) }
  })
}

/** Lines of equal words are numbered from 1 in the order of the file: the same line reported again has the same number. */
function numberLines(
  kind: BankReport['kind'],
  entries: readonly ReportedEntry[],
  known: readonly KnownLine[],
): Line[] {
  const byId = new Map(known.map((line) => [line.entryId, line]))
  const byIdAgain = new Map(
    known.flatMap((line) => (line.again ? [[line.again.entryId, line] as const] : [])),
  )
  const used = new Map<string, ReportedEntry>()
  const lines = new Map<ReportedEntry, Line>()
  for (const one of entries) lines.set(one, numbered(one))
  return [...lines.values()]

  function numbered(one: ReportedEntry): Line {
    let maybe: KnownLine | undefined
    for (let number = 1; ; number++) {
      const id = idOf(one.words, number)
      const before = used.get(id)
      // Two notifications of a message may repeat a line.
      if (before !== undefined && isRepeated(one, before)) return { ...(lines.get(before) as Line), ...one }
      if (before !== undefined) continue
      const line = lineUnder(id)
      if (line !== undefined && !isSame(one, line, kind)) {
        if (!isOrderedApart(one.entry, line)) maybe = line
        continue
      }
      used.set(id, one)
      return { ...one, entryId: line === undefined ? freeIdOf(id) : id, known: line, maybe }
    }
  }

  /** The line of that id may be another one, which the other kind of file reported. */
  function freeIdOf(id: string): string {
    return byId.has(id) ? idForSource(id, kind) : id
  }

  /** The line that `kind` has reported under an id, or else the one that only the other kind of file has. */
  function lineUnder(id: string): KnownLine | undefined {
    const own = byId.get(id)
    for (const line of [own, byIdAgain.get(id), byId.get(idForSource(id, kind))])
      if (line !== undefined && isReportedBy(kind, line)) return line
    return own?.again === undefined && doubtOf(own) !== 'closed' ? own : undefined
  }
}

function idOf(words: string, number: number): string {
  return derivedId(`${words} ${number}`, 'bank entry')
}

/** Whether a line stands in two statements or notifications of one message, under one reference of the bank. */
function isRepeated(one: ReportedEntry, before: ReportedEntry): boolean {
  if (one.entry.servicerReference === undefined || one.report === before.report) return false
  const areWhole = one.entry.hasDetails && before.entry.hasDetails
  return !areWhole || contentOf(one.entry).key === contentOf(before.entry).key
}

/** Whether the operator is yet to say that a line is one of its own, or has said that it is none. */
function doubtOf(line: KnownLine | undefined): 'open' | 'closed' | undefined {
  if (line === undefined || line.entries.some(({ inDoubt, state }) => !inDoubt || state === 'TRANSFER'))
    return undefined
  return line.entries.every(({ state }) => state === 'RESOLVED') ? 'closed' : 'open'
}

/** Whether `kind` of file has reported a known line. */
function isReportedBy(kind: BankReport['kind'], line: KnownLine): boolean {
  return line.kind === kind || line.again !== undefined
}

/** Whether a line with the words of a known one is that one. */
function isSame({ entry, place }: ReportedEntry, known: KnownLine, kind: BankReport['kind']): boolean {
  const isOfKind = isReportedBy(kind, known)
  // Some banks give one reference to all lines of a batch; the other kind of file may have other words for a line.
  if (entry.servicerReference !== undefined) {
    if (known.kind === kind && isWhole(entry, known)) return isIdentical(entry, known)
    const day = placeOf(known.again?.place).day
    return !contradicts(entry, known) && (day === undefined || day === entry.bookedOn)
  }
  if (!isOfKind || isReferenced(entry)) return true
  // Two statements that have an equal line may report it twice, or two lines.
  const knownPlace = known.kind === kind ? known.entries[0].place : known.again?.place
  return knownPlace === undefined || placeOf(knownPlace).id === placeOf(place).id
}

/** The id of a statement or notification, and the day of the line in it. */
function placeOf(text: string | undefined): { readonly id?: string; readonly day?: string } {
  return text === undefined ? {} : JSON.parse(text)
}

/** Whether each transaction has a reference of its payer or of ours, which is used once. */
function isReferenced({ transactions }: Entry): boolean {
  return transactions.every((one) => one.endToEndId !== undefined || one.paymentGroupId !== undefined)
}

/** Lines that only the other kind of file has reported, identical to lines of this file: each is one of them. */
function pairIdentical(kind: BankReport['kind'], lines: readonly Line[], known: readonly KnownLine[]) {
  const taken = new Set(lines.flatMap((line) => line.known ?? []))
  // A line in doubt may be none, and takes no other line's place.
  const others = known.filter(
    (line) =>
      !isReportedBy(kind, line) &&
      !taken.has(line) &&
      doubtOf(line) === undefined &&
      line.entries[0].bookedOn,
  )
  const byKey = Map.groupBy(others, (line) => contentOf(line).key)
  /** By the id that a line was given by its number. */
  const identical = new Map<string, KnownLine>()
  for (const { entry, entryId, known: one, maybe } of lines) {
    if (one !== undefined || !entry.hasDetails || identical.has(entryId)) continue
    // What may have been reported before may take the place of a line that is yet to be.
    if (maybe !== undefined && !contradicts(entry, maybe)) continue
    const equal = byKey.get(contentOf(entry).key) ?? []
    const index = equal.findIndex((other) => isWhole(entry, other) && !contradicts(entry, other))
    const [same] = index < 0 ? [] : equal.splice(index, 1)
    if (same === undefined) continue
    taken.add(same)
    identical.set(entryId, same)
  }
  const bySum = Map.groupBy(
    others.filter((line) => !taken.has(line)),
    (line) => contentOf(line).sum,
  )
  return { identical, left: ({ entry }: Line) => bySum.get(contentOf(entry).sum) ?? [] }
}

/** A transaction as far as two files can report it alike. */
type Part = Pick<BankEntry, 'bookedOn' | 'direction' | 'amount' | 'endToEndId' | 'remittance' | 'party'>

function partsOf({ bookedOn, direction, transactions }: Entry): Part[] {
  return transactions.map(({ text, ...one }) => ({ ...one, bookedOn, direction, remittance: text }))
}

/** By what lines are compared. */
interface Content {
  /** The same in two lines that are identical. */
  readonly key: string
  /** Day, direction and sum. */
  readonly sum: string
  readonly accounts: ReadonlySet<string>
  readonly references: ReadonlySet<string>
  /** References of wallets in the texts. */
  readonly wallets: ReadonlySet<string>
}

/** Each line is compared with many. */
const contents = new WeakMap<Entry | KnownLine, Content>()

function contentOf(line: Entry | KnownLine): Content {
  const content = contents.get(line) ?? contentOfParts('entries' in line ? line.entries : partsOf(line))
  contents.set(line, content)
  return content
}

function contentOfParts(parts: readonly Part[]): Content {
  // Some write an IBAN in groups of four.
  const accountOf = ({ party: { iban } }: Part) => (iban === undefined ? undefined : lettersAndDigitsOf(iban))
  const sum = `${parts[0]?.bookedOn} ${parts[0]?.direction} ${sumOf(parts.map(({ amount }) => amount))}`
  const keys = parts.map((part) => {
    // An order of ours goes once, whatever the bank writes beside it.
    if (isOrder(part.endToEndId)) return { order: part.endToEndId?.toLowerCase() }
    const [amount, account, wallets] = [String(part.amount), accountOf(part), walletsIn(part)]
    // Who paid which wallet says enough: banks write texts differently in their two kinds of files.
    if (account !== undefined && wallets.length > 0) return [amount, account, wallets]
    return [amount, account, part.endToEndId, wordsOf(part.remittance ?? '')]
  })
  const texts = keys.map((key) => JSON.stringify(key))
  // What had been refunded of a debit that came back is kept beside it, under the same order.
  const once = texts.filter((text, index) => Array.isArray(keys[index]) || texts.indexOf(text) === index)
  return {
    ...{ sum, key: [sum, ...once.toSorted()].join(' ') },
    accounts: new Set(parts.flatMap((part) => accountOf(part) ?? [])),
    references: new Set(parts.flatMap(({ endToEndId }) => endToEndId ?? [])),
    wallets: new Set(parts.flatMap(walletsIn)),
  }
}

function walletsIn({ remittance = '' }: Part): string[] {
  return [...creditorReferencesIn(remittance)].toSorted()
}

/** A text without what banks change: case, accents, spaces and signs. */
function wordsOf(text: string): string {
  return text
    .normalize('NFKD')
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/** Whether it is known of both what they are made of. */
function isWhole(entry: Entry, known: KnownLine): boolean {
  return entry.hasDetails && known.entries.every(({ hasDetails }) => hasDetails)
}

function isIdentical(entry: Entry, known: KnownLine): boolean {
  return isWhole(entry, known) && contentOf(entry).key === contentOf(known).key
}

/** Whether something in two lines says that they are two. */
function contradicts(entry: Entry, known: KnownLine): boolean {
  const { servicerReference } = known.entries[0]
  const isGiven = entry.servicerReference !== undefined && servicerReference !== undefined
  if (isGiven && entry.servicerReference !== servicerReference) return true
  if (!isWhole(entry, known)) return false
  return (['accounts', 'references', 'wallets'] as const).some((name) => areApart(entry, known, name))
}

/** Whether their payers, or we, gave the two lines references of their own. */
function isOrderedApart(entry: Entry, known: KnownLine): boolean {
  return isWhole(entry, known) && areApart(entry, known, 'references')
}

/** Whether both have something, and nothing in common. */
function areApart(entry: Entry, known: KnownLine, name: 'accounts' | 'references' | 'wallets'): boolean {
  const [one, other] = [contentOf(entry)[name], contentOf(known)[name]]
  return one.size > 0 && other.size > 0 && one.isDisjointFrom(other)
}

/** Whether a line without an identical one may yet be a known one. Orders of ours are recognised by their reference. */
function mayBe(entry: Entry, known: KnownLine): boolean {
  const isOfOrders =
    known.entries.some(({ orderId }) => orderId !== undefined) ||
    entry.transactions.every(
      (one) => isOrder(one.endToEndId) || (one.endToEndId === undefined && one.paymentGroupId !== undefined),
    )
  return !isOfOrders && isWhole(entry, known) && !contradicts(entry, known)
}

function isOrder(endToEndId: string | undefined): boolean {
  return withHyphens(endToEndId ?? '') !== undefined
}
