// The SQL of booked lines: which are known, and which the other kind of file has reported again (decision 0205).
import { derivedId } from '../../../kernel/random.ts'
import { type Executor, rowSet, type StoredRowOf, statement } from '../../../storage/index.ts'
import { type BankEntry, type BankReport, bankEntries, linesReportedAgain } from '../model.ts'

/** The id of a line whose own id is that of another line of the other kind of file. */
export function secondIdOf(id: string, kind: BankReport['kind']): string {
  return derivedId(`${id} ${kind}`, 'bank entry')
}

const asked = rowSet({ id: 'uuid', second_id: 'uuid' }, 2)

const selectOccurrences = statement<{ id: string; place: string | null }>(`
  with input as (${asked.source})
  select input.id, bank_entries.place
  from input
  join bank_entries on bank_entries.entry_id in (input.id, input.second_id)
  join bank_reports on bank_reports.id = bank_entries.report_id and bank_reports.kind = $1
  union all
  select input.id, again.place
  from input join bank_lines_told_again as again on again.kind = $1 and again.entry_id = input.id`)

/** That a file of a kind has reported a line, and in which statement or notification it stands there. */
export interface Occurrence {
  /** Undefined: not known. */
  readonly place: string | undefined
}

/** Which of these ids files of this kind have reported. */
export async function occurrencesOf(
  tx: Executor,
  kind: BankReport['kind'],
  ids: readonly string[],
): Promise<ReadonlyMap<string, Occurrence>> {
  if (ids.length === 0) return new Map()
  const rows = ids.map((id) => ({ id, second_id: secondIdOf(id, kind) }))
  const reported = await tx.run(selectOccurrences, [kind, ...asked.parameters(rows)])
  return new Map(reported.map(({ id, place }) => [id, { place: place ?? undefined }]))
}

const selectKnown = statement<{
  entry_id: string
  open: boolean
  reported: boolean
  doubt: 'open' | 'closed' | null
  again: boolean
}>(`
  select bank_entries.entry_id, bool_and(bank_entries.state = 'UNMATCHED' and not bank_entries.has_details) as open,
    bool_or(bank_reports.kind = $2) as reported,
    case
      when bool_or(bank_entries.in_doubt and bank_entries.state = 'TRANSFER') then null
      when bool_or(bank_entries.in_doubt and bank_entries.state = 'UNMATCHED') then 'open'
      when bool_and(bank_entries.in_doubt and bank_entries.state = 'RESOLVED') then 'closed'
    end as doubt,
    exists (select from bank_lines_told_again where same_as = bank_entries.entry_id) as again
  from bank_entries join bank_reports on bank_reports.id = bank_entries.report_id
  where bank_entries.entry_id = any($1::uuid[])
  group by bank_entries.entry_id`)

export interface KnownLine {
  /** Nothing followed from it, for want of its transactions. */
  readonly isOpen: boolean
  /** By a file of the kind that is asked about. */
  readonly isReported: boolean
  /** By a file of the other kind than the first one; then it is no other line of that kind. */
  readonly isReportedAgain: boolean
  /** Whether the operator is yet to say that it is a line of its own, or has said that it is none. */
  readonly doubt: 'open' | 'closed' | undefined
}

/** Booked lines that are known, by their ids. */
export async function knownLines(
  tx: Executor,
  ids: readonly string[],
  kind: BankReport['kind'],
): Promise<ReadonlyMap<string, KnownLine>> {
  const rows = await tx.run(selectKnown, [ids, kind])
  return new Map(
    rows.map(({ entry_id, open, reported, doubt, again }) => [
      entry_id,
      { isOpen: open, isReported: reported, doubt: doubt ?? undefined, isReportedAgain: again },
    ]),
  )
}

const selectOfLines = statement<
  StoredRowOf<typeof bankEntries> & {
    line_id: string
    is_of_kind: boolean
    again_in: string | null
    is_again: boolean
  }
>(`
  with input as (${asked.source})
  select input.id as line_id, bank_reports.kind = $1 as is_of_kind, null as again_in, false as is_again,
    ${bankEntries.list('bank_entries')}
  from input
  join bank_entries on bank_entries.entry_id in (input.id, input.second_id)
  join bank_reports on bank_reports.id = bank_entries.report_id
  union all
  select input.id, true, again.place, true, ${bankEntries.list('bank_entries')}
  from input
  join bank_lines_told_again as again on again.kind = $1 and again.entry_id = input.id
  join bank_entries on bank_entries.entry_id = again.same_as`)

/** An entry of a line that stands under an id. */
export interface EntryOfLine {
  readonly lineId: string
  readonly entry: BankEntry
  /** Whether this kind of file has reported it; and where, of what the other kind reported first. */
  readonly isOfKind: boolean
  readonly placeAgain?: string | undefined
  readonly isReportedAgain: boolean
}

/** What is known of the lines with these ids, also of those that this kind of file has reported in other words than the other. */
export async function entriesOfLines(
  tx: Executor,
  kind: BankReport['kind'],
  ids: readonly string[],
): Promise<EntryOfLine[]> {
  if (ids.length === 0) return []
  const input = ids.map((id) => ({ id, second_id: secondIdOf(id, kind) }))
  const rows = await tx.run(selectOfLines, [kind, ...asked.parameters(input)])
  return rows.map((row) => ({
    lineId: row.line_id,
    entry: bankEntries.read(row),
    isOfKind: row.is_of_kind,
    placeAgain: row.again_in ?? undefined,
    isReportedAgain: row.is_again,
  }))
}

const selectReportedAgain = statement<{ entry_id: string; same_as: string }>(`
  select entry_id, same_as from bank_lines_told_again where kind = $1 and entry_id = any($2::uuid[])`)

/** Which known line each of these is that a file of this kind has reported again. */
export async function findReportedAgain(
  tx: Executor,
  kind: BankReport['kind'],
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  return new Map((await tx.run(selectReportedAgain, [kind, ids])).map((row) => [row.entry_id, row.same_as]))
}

const reportedAgain = rowSet(linesReportedAgain.types)

const insertReportedAgain = statement(`
  with input as (${reportedAgain.source})
  insert into bank_lines_told_again (${linesReportedAgain.list()}) select ${linesReportedAgain.list()} from input`)

/** Notes that lines of a file are known ones. @param lines with the id of the known one */
export async function noteReportedAgain(
  tx: Executor,
  { kind, id }: Pick<BankReport, 'kind' | 'id'>,
  lines: readonly { readonly entryId: string; readonly place: string; readonly sameAs: string }[],
): Promise<void> {
  if (lines.length === 0) return
  const rows = lines.map((line) => linesReportedAgain.write({ ...line, kind, reportId: id }))
  await tx.run(insertReportedAgain, reportedAgain.parameters(rows))
}

const selectReportedOnce = statement<StoredRowOf<typeof bankEntries>>(`
  select ${bankEntries.list('bank_entries')}
  from bank_entries join bank_reports on bank_reports.id = bank_entries.report_id
  where bank_entries.booked_on = any($1::date[]) and bank_entries.has_details and bank_reports.kind <> $2
    and not exists (select from bank_lines_told_again where same_as = bank_entries.entry_id)
  order by bank_entries.created_at, bank_entries.entry_id, bank_entries.id`)

/** What was booked on these days and only files of the other kind have reported, oldest first. */
export async function entriesReportedOnce(
  tx: Executor,
  kind: BankReport['kind'],
  days: readonly string[],
): Promise<BankEntry[]> {
  if (days.length === 0) return []
  return (await tx.run(selectReportedOnce, [days, kind])).map(bankEntries.read)
}
