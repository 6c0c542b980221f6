// The SQL of booked lines: which are known, and which the other kind of file has told again (decision 0205).
import { derivedId } from '../../../kernel/random.ts'
import { type Executor, rowSet, type StoredRowOf, statement } from '../../../storage/index.ts'
import { type BankEntry, type BankReport, bankEntries, linesToldAgain } from '../model.ts'

/** The id of a line whose own id is that of another line of the other kind of file. */
export function secondIdOf(id: string, kind: BankReport['kind']): string {
  return derivedId(`${id} ${kind}`, 'bank entry')
}

const asked = rowSet({ id: 'uuid', second_id: 'uuid' }, 2)

const selectTellings = statement<{ id: string; told_in: string | null }>(`
  with input as (${asked.source})
  select input.id, bank_entries.told_in
  from input
  join bank_entries on bank_entries.entry_id in (input.id, input.second_id)
  join bank_reports on bank_reports.id = bank_entries.report_id and bank_reports.kind = $1
  union all
  select input.id, again.told_in
  from input join bank_lines_told_again as again on again.kind = $1 and again.entry_id = input.id`)

/** That a file of a kind has told a line, and in which statement or notification it stands there. */
export interface Telling {
  /** Undefined: not known. */
  readonly toldIn: string | undefined
}

/** Which of these ids files of this kind have told. */
export async function tellingsOf(
  tx: Executor,
  kind: BankReport['kind'],
  ids: readonly string[],
): Promise<ReadonlyMap<string, Telling>> {
  if (ids.length === 0) return new Map()
  const rows = ids.map((id) => ({ id, second_id: secondIdOf(id, kind) }))
  const told = await tx.run(selectTellings, [kind, ...asked.parameters(rows)])
  return new Map(told.map(({ id, told_in }) => [id, { toldIn: told_in ?? undefined }]))
}

const selectKnown = statement<{
  entry_id: string
  open: boolean
  told: boolean
  doubt: BankEntry['state'] | null
  again: boolean
}>(`
  select bank_entries.entry_id, bool_and(bank_entries.state = 'UNMATCHED' and not bank_entries.has_details) as open,
    bool_or(bank_reports.kind = $2) as told,
    min(bank_entries.state) filter (where bank_entries.in_doubt) as doubt,
    exists (select from bank_lines_told_again where same_as = bank_entries.entry_id) as again
  from bank_entries join bank_reports on bank_reports.id = bank_entries.report_id
  where bank_entries.entry_id = any($1::uuid[])
  group by bank_entries.entry_id`)

export interface KnownLine {
  /** Nothing followed from it, for want of its transactions. */
  readonly isOpen: boolean
  /** By a file of the kind that is asked about. */
  readonly isTold: boolean
  /** By a file of the other kind than the first one; then it is no other line of that kind. */
  readonly isToldAgain: boolean
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
    rows.map(({ entry_id, open, told, doubt, again }) => [
      entry_id,
      { isOpen: open, isTold: told, doubt: doubtOf(doubt), isToldAgain: again },
    ]),
  )
}

function doubtOf(state: BankEntry['state'] | null): KnownLine['doubt'] {
  if (state === 'UNMATCHED') return 'open'
  return state === 'RESOLVED' ? 'closed' : undefined
}

const selectOfLines = statement<StoredRowOf<typeof bankEntries> & { is_of_kind: boolean }>(`
  select ${bankEntries.list('bank_entries')}, bank_reports.kind = $2 as is_of_kind
  from bank_entries join bank_reports on bank_reports.id = bank_entries.report_id
  where bank_entries.entry_id = any($1::uuid[])
  order by bank_entries.created_at, bank_entries.id`)

/** What is known of these lines, and whether this kind of file has told it. */
export async function entriesOfLines(
  tx: Executor,
  kind: BankReport['kind'],
  ids: readonly string[],
): Promise<{ readonly entry: BankEntry; readonly isOfKind: boolean }[]> {
  if (ids.length === 0) return []
  const rows = await tx.run(selectOfLines, [ids, kind])
  return rows.map((row) => ({ entry: bankEntries.read(row), isOfKind: row.is_of_kind }))
}

const selectToldAgain = statement<{ entry_id: string; same_as: string }>(`
  select entry_id, same_as from bank_lines_told_again where kind = $1 and entry_id = any($2::uuid[])`)

/** Which known line each of these is that a file of this kind has told again. */
export async function findToldAgain(
  tx: Executor,
  kind: BankReport['kind'],
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  return new Map((await tx.run(selectToldAgain, [kind, ids])).map((row) => [row.entry_id, row.same_as]))
}

const toldAgain = rowSet(linesToldAgain.types)

const insertToldAgain = statement(`
  with input as (${toldAgain.source})
  insert into bank_lines_told_again (${linesToldAgain.list()}) select ${linesToldAgain.list()} from input`)

/** Notes that lines of a file are known ones. @param lines with the id of the known one */
export async function noteToldAgain(
  tx: Executor,
  { kind, id }: Pick<BankReport, 'kind' | 'id'>,
  lines: readonly { readonly entryId: string; readonly toldIn: string; readonly sameAs: string }[],
): Promise<void> {
  if (lines.length === 0) return
  const rows = lines.map((line) => linesToldAgain.write({ ...line, kind, reportId: id }))
  await tx.run(insertToldAgain, toldAgain.parameters(rows))
}

const selectToldOnce = statement<StoredRowOf<typeof bankEntries>>(`
  select ${bankEntries.list('bank_entries')}
  from bank_entries join bank_reports on bank_reports.id = bank_entries.report_id
  where bank_entries.booked_on = any($1::date[]) and bank_entries.has_details and bank_reports.kind <> $2
    and not exists (select from bank_lines_told_again where same_as = bank_entries.entry_id)
    and not (bank_entries.in_doubt and bank_entries.state = 'RESOLVED')
  order by bank_entries.created_at, bank_entries.entry_id, bank_entries.id`)

/** What was booked on these days and only files of the other kind have told, oldest first; without closed doubts. */
export async function entriesToldOnce(
  tx: Executor,
  kind: BankReport['kind'],
  days: readonly string[],
): Promise<BankEntry[]> {
  if (days.length === 0) return []
  return (await tx.run(selectToldOnce, [days, kind])).map(bankEntries.read)
}
