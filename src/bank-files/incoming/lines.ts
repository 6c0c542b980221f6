// Recognizing booked lines that an earlier file reported (docs/decisions/0013).
import { sumOf } from '../../kernel/money.ts'
import { derivedId } from '../../kernel/random.ts'
import { creditorReferencesIn, lettersAndDigitsOf } from '../../kernel/values/creditor-reference.ts'
import type { Executor } from '../../storage/index.ts'
import { fileIdOfMessage, withHyphens } from '../groups.ts'
import { accountCurrency } from '../model.ts'
import { idForSource, type KnownLine, knownLines, recordDuplicates } from './known-lines.ts'
import type { Entry } from './messages.ts'
import type { BankEntry, BankReport } from './model.ts'

export interface ReportedEntry {
  readonly fingerprint: string
  /** The fingerprint without the bank's reference. Earlier versions used it for a reference of the only transaction. */
  readonly plainFingerprint: string
  /** JSON with the id of the statement or notification, and the line's day in it. */
  readonly statementPosition: string
  readonly report: number
  readonly entry: Entry
}

export interface Line extends ReportedEntry {
  readonly entryId: string
  readonly known?: KnownLine | undefined
  /** A known line that may be the same. A person must decide. */
  readonly maybe?: KnownLine | undefined
}

/** The fingerprint of a booked line: the bank's reference, or its content if it has none. */
export function fingerprintOf(iban: string, entry: Entry): string {
  const { servicerReference, direction, amount, bookedOn, transactions } = entry
  const own =
    servicerReference === undefined
      ? [
          bookedOn,
          ...transactions.map((one) => [one.endToEndId, String(one.amount), one.party.iban, one.text]),
        ]
      : [servicerReference]
  // The names of groups distinguish them, even if everything else is equal.
  const groups = transactions.flatMap((one) =>
    withHyphens(one.endToEndId ?? '') === undefined
      ? (one.paymentGroupId?.toLowerCase() ?? one.references.filter(isOfFile))
      : [],
  )
  return JSON.stringify([iban, direction, String(amount), accountCurrency, ...own, ...groups])
}

/** Whether a name belongs to a file or a group. No payer writes such a name. */
function isOfFile(name: string): boolean {
  return fileIdOfMessage(name) !== undefined || name.includes('-')
}

/** Finds lines of earlier files, by the bank's reference or equal content. Keeps the file's order. */
export async function recognize(
  tx: Executor,
  report: Pick<BankReport, 'id' | 'kind'>,
  entries: readonly ReportedEntry[],
): Promise<Line[]> {
  const known = await knownLines(
    tx,
    entries.flatMap(({ entry }) => entry.bookedOn ?? []),
    entries.flatMap(({ entry }) => entry.servicerReference ?? []),
    entries.some(({ entry }) => entry.bookedOn === undefined),
    entries.map(({ entry }) => entry.amount),
    [...Map.groupBy(entries, ({ fingerprint }) => fingerprint)].flatMap(([fingerprint, { length }]) =>
      Array.from({ length: length + 1 }, (_, index) => idOf(fingerprint, index + 1)),
    ),
  )
  const numbered = numberLines(report.kind, entries, known)
  const { identical, left } = pairIdentical(report.kind, numbered, known)
  const lines = numbered.map((line): Line => {
    const same = line.known ?? identical.get(line.entryId)
    return same === undefined ? line : { ...line, known: same, maybe: undefined, entryId: same.entryId }
  })
  const again = new Map(
    lines.flatMap(({ known: one, statementPosition }, index) => {
      const { entryId } = numbered[index] as Line
      if (one === undefined || isReportedBy(report.kind, one)) return []
      return [[entryId, { entryId, statementPosition, sameAs: one.entryId }] as const]
    }),
  )
  await recordDuplicates(tx, report, [...again.values()])
  const taken = new Set(lines.map(({ known: one }) => one))
  return lines.map((line): Line => {
    if (line.known !== undefined) return line
    // If one file contains both lines with different facts, they are two lines.
    const areTwo = taken.has(line.maybe) && line.maybe !== undefined && contradicts(line.entry, line.maybe)
    const maybe = areTwo ? undefined : line.maybe
    const others = () => known.filter((one) => !taken.has(one) && doubtOf(one) !== 'closed')
    return {
      ...line,
      maybe:
        maybe ??
        left(line).find((one) => isPossiblySame(line.entry, one)) ??
        others().find((one) => isCorrected(report.kind, line, one)),
    }
  })
}

/** Whether a line may be a known one that a corrected file reports with another reference, or readable. */
function isCorrected(kind: BankReport['kind'], line: Line, known: KnownLine): boolean {
  const { entry, plainFingerprint } = line
  if (isOfOrders(entry, known) || contradicts(entry, known)) return false
  if (!isWhole(entry, known)) return isUnread(line, known)
  const [{ servicerReference }] = known.entries
  const isReferencedOnce = (entry.servicerReference === undefined) !== (servicerReference === undefined)
  if (known.kind === kind) return isReferencedOnce && isIdentical(entry, known)
  // The texts of the other kind of file can differ, so only the fingerprint tells.
  return (
    entry.servicerReference !== undefined &&
    known.again !== undefined &&
    plainIds(plainFingerprint, kind).has(known.again.entryId)
  )
}

/** A file with more equal lines than this is not expected. */
const equalLinesMax = 10

function plainIds(plainFingerprint: string, kind: BankReport['kind']): ReadonlySet<string> {
  const ids = Array.from({ length: equalLinesMax }, (_, index) => idOf(plainFingerprint, index + 1))
  return new Set(ids.flatMap((id) => [id, idForSource(id, kind)]))
}

/** Whether one of the two is without its transactions, and may be the other one. */
function isUnread({ entry, statementPosition }: Line, known: KnownLine): boolean {
  const [first] = known.entries
  if (entry.direction !== 'credit' || first.direction !== 'credit' || entry.amount === 0n) return false
  if (known.entries.every(({ state }) => state === 'RESOLVED')) return false
  if (sumOf(known.entries.map(({ amount }) => amount)) !== entry.amount) return false
  if (areApart(entry, known, 'wallets')) return false
  return (
    first.bookedOn === entry.bookedOn ||
    (entry.servicerReference !== undefined && entry.servicerReference === first.servicerReference) ||
    positionOf(first.statementPosition).id === positionOf(statementPosition).id
  )
}

/** Numbers lines of equal fingerprint from 1 in file order, so a repeated file gives equal numbers. */
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
      const id = idOf(one.fingerprint, number)
      const before = used.get(id)
      // Two notifications of one message can contain the same line.
      if (before !== undefined && isRepeated(one, before)) return { ...(lines.get(before) as Line), ...one }
      if (before !== undefined) continue
      const line = lineUnder(id)
      if (line !== undefined && !isSame(one, line, kind)) {
        if (!hasOtherReferences(one.entry, line)) maybe = line
        continue
      }
      used.set(id, one)
      return { ...one, entryId: line === undefined ? freeIdOf(id) : id, known: line, maybe }
    }
  }

  /** Returns another id if a line of the other kind of file has this one. */
  function freeIdOf(id: string): string {
    return byId.has(id) ? idForSource(id, kind) : id
  }

  /** The line that `kind` reported under an id. If it reported none, the line of the other kind. */
  function lineUnder(id: string): KnownLine | undefined {
    const own = byId.get(id)
    for (const line of [own, byIdAgain.get(id), byId.get(idForSource(id, kind))])
      if (line !== undefined && isReportedBy(kind, line)) return line
    return own?.again === undefined && doubtOf(own) !== 'closed' ? own : undefined
  }
}

function idOf(fingerprint: string, number: number): string {
  return derivedId(`${fingerprint} ${number}`, 'bank entry')
}

function isRepeated(one: ReportedEntry, before: ReportedEntry): boolean {
  if (one.entry.servicerReference === undefined || one.report === before.report) return false
  const areWhole = one.entry.hasDetails && before.entry.hasDetails
  return !areWhole || contentOf(one.entry).key === contentOf(before.entry).key
}

/** Whether the operator must decide if the line is a duplicate (`open`), or has closed it (`closed`). */
function doubtOf(line: KnownLine | undefined): 'open' | 'closed' | undefined {
  if (line === undefined || line.entries.some(({ inDoubt, state }) => !inDoubt || state === 'TRANSFER'))
    return undefined
  return line.entries.every(({ state }) => state === 'RESOLVED') ? 'closed' : 'open'
}

function isReportedBy(kind: BankReport['kind'], line: KnownLine): boolean {
  return line.kind === kind || line.again !== undefined
}

/** Whether a line is the known line that has its fingerprint. */
function isSame(
  { entry, statementPosition }: ReportedEntry,
  known: KnownLine,
  kind: BankReport['kind'],
): boolean {
  const isOfKind = isReportedBy(kind, known)
  // Some banks give all lines of a batch one reference. The texts in the other kind of file can differ.
  if (entry.servicerReference !== undefined) {
    if (known.kind === kind && isWhole(entry, known)) return isIdentical(entry, known)
    const day = positionOf(known.again?.statementPosition).day
    return !contradicts(entry, known) && (day === undefined || day === entry.bookedOn)
  }
  if (!isOfKind || isReferenced(entry)) return true
  // A line in two statements is the same line only if both statements have the same id.
  const knownPosition =
    known.kind === kind ? known.entries[0].statementPosition : known.again?.statementPosition
  return knownPosition === undefined || positionOf(knownPosition).id === positionOf(statementPosition).id
}

function positionOf(text: string | undefined): { readonly id?: string; readonly day?: string } {
  return text === undefined ? {} : JSON.parse(text)
}

/** Whether each transaction has a reference, because a reference is used only once. */
function isReferenced({ transactions }: Entry): boolean {
  return transactions.every((one) => one.endToEndId !== undefined || one.paymentGroupId !== undefined)
}

/** Pairs lines with identical lines of the other kind of file, one to one. */
function pairIdentical(kind: BankReport['kind'], lines: readonly Line[], known: readonly KnownLine[]) {
  const taken = new Set(lines.flatMap((line) => line.known ?? []))
  // A possible duplicate may not be a line at all, so it cannot be the partner of another line.
  const others = known.filter(
    (line) =>
      !isReportedBy(kind, line) &&
      !taken.has(line) &&
      doubtOf(line) === undefined &&
      line.entries[0].bookedOn,
  )
  const byKey = Map.groupBy(others, (line) => contentOf(line).key)
  const identical = new Map<string, KnownLine>()
  for (const { entry, entryId, known: one, maybe } of lines) {
    if (one !== undefined || !entry.hasDetails || identical.has(entryId)) continue
    // A possible duplicate must not use up the partner of a later line.
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

type Part = Pick<BankEntry, 'bookedOn' | 'direction' | 'amount' | 'endToEndId' | 'remittance' | 'party'>

function partsOf({ bookedOn, direction, transactions }: Entry): Part[] {
  return transactions.map(({ text, ...one }) => ({ ...one, bookedOn, direction, remittance: text }))
}

interface Content {
  readonly key: string
  readonly sum: string
  readonly accounts: ReadonlySet<string>
  readonly references: ReadonlySet<string>
  readonly wallets: ReadonlySet<string>
}

/** The content is cached, because each line is compared with many others. */
const contents = new WeakMap<Entry | KnownLine, Content>()

function contentOf(line: Entry | KnownLine): Content {
  const content = contents.get(line) ?? contentOfParts('entries' in line ? line.entries : partsOf(line))
  contents.set(line, content)
  return content
}

function contentOfParts(parts: readonly Part[]): Content {
  const accountOf = ({ party: { iban } }: Part) => (iban === undefined ? undefined : lettersAndDigitsOf(iban))
  const sum = `${parts[0]?.bookedOn} ${parts[0]?.direction} ${sumOf(parts.map(({ amount }) => amount))}`
  const keys = parts.map((part) => {
    // An order is executed only once, so its texts do not matter.
    if (isOrder(part.endToEndId)) return { order: part.endToEndId?.toLowerCase() }
    const [amount, account, wallets] = [String(part.amount), accountOf(part), walletsIn(part)]
    // Payer and wallet are enough: the two kinds of files have different texts for one line.
    if (account !== undefined && wallets.length > 0) return [amount, account, wallets]
    return [amount, account, part.endToEndId, normalized(part.remittance ?? '')]
  })
  const texts = keys.map((key) => JSON.stringify(key))
  // If a debit was refunded and returned, a second entry has the same order.
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

/** Removes case, accents, spaces and signs, which banks change. */
function normalized(text: string): string {
  return text
    .normalize('NFKD')
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}

function isWhole(entry: Entry, known: KnownLine): boolean {
  return entry.hasDetails && known.entries.every(({ hasDetails }) => hasDetails)
}

function isIdentical(entry: Entry, known: KnownLine): boolean {
  return isWhole(entry, known) && contentOf(entry).key === contentOf(known).key
}

function contradicts(entry: Entry, known: KnownLine): boolean {
  const { servicerReference } = known.entries[0]
  const isGiven = entry.servicerReference !== undefined && servicerReference !== undefined
  if (isGiven && entry.servicerReference !== servicerReference) return true
  if (!isWhole(entry, known)) return false
  return (['accounts', 'references', 'wallets'] as const).some((name) => areApart(entry, known, name))
}

function hasOtherReferences(entry: Entry, known: KnownLine): boolean {
  return isWhole(entry, known) && areApart(entry, known, 'references')
}

function areApart(entry: Entry, known: KnownLine, name: 'accounts' | 'references' | 'wallets'): boolean {
  const [one, other] = [contentOf(entry)[name], contentOf(known)[name]]
  return one.size > 0 && other.size > 0 && one.isDisjointFrom(other)
}

/** Whether a line may be a known one. */
function isPossiblySame(entry: Entry, known: KnownLine): boolean {
  return !isOfOrders(entry, known) && isWhole(entry, known) && !contradicts(entry, known)
}

/** References identify lines of orders, so these are never in doubt. */
function isOfOrders(entry: Entry, known: KnownLine): boolean {
  return (
    known.entries.some(({ orderId }) => orderId !== undefined) ||
    entry.transactions.every(
      (one) => isOrder(one.endToEndId) || (one.endToEndId === undefined && one.paymentGroupId !== undefined),
    )
  )
}

function isOrder(endToEndId: string | undefined): boolean {
  return withHyphens(endToEndId ?? '') !== undefined
}
