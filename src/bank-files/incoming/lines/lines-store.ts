// The SQL of booked lines: which are known, and which the other kind of file has told again (decision 0205).
import { type Executor, rowSet, type StoredRowOf, statement } from '../../../storage/index.ts'
import { type BankEntry, type BankReport, bankEntries, linesToldAgain } from '../model.ts'

const selectKnown = statement<{ entry_id: string; open: boolean; told: boolean; again: boolean }>(`
  select bank_entries.entry_id, bool_and(bank_entries.state = 'UNMATCHED' and not bank_entries.has_details) as open,
    bool_or(bank_reports.kind = $2) as told,
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
}

/** Booked lines that are known, by their ids. */
export async function knownLines(
  tx: Executor,
  ids: readonly string[],
  kind: BankReport['kind'],
): Promise<ReadonlyMap<string, KnownLine>> {
  const rows = await tx.run(selectKnown, [ids, kind])
  return new Map(
    rows.map(({ entry_id, open, told, again }) => [
      entry_id,
      { isOpen: open, isTold: told, isToldAgain: again },
    ]),
  )
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

/** Notes that lines of a file are known ones. @param lines the line's id, and that of the known one */
export async function noteToldAgain(
  tx: Executor,
  { kind, id }: Pick<BankReport, 'kind' | 'id'>,
  lines: ReadonlyMap<string, string>,
): Promise<void> {
  if (lines.size === 0) return
  const rows = [...lines].map(([entryId, sameAs]) =>
    linesToldAgain.write({ kind, entryId, sameAs, reportId: id }),
  )
  await tx.run(insertToldAgain, toldAgain.parameters(rows))
}

const selectToldOnce = statement<StoredRowOf<typeof bankEntries>>(`
  select ${bankEntries.list('bank_entries')}
  from bank_entries join bank_reports on bank_reports.id = bank_entries.report_id
  where bank_entries.booked_on = any($1::date[]) and bank_entries.has_details and bank_reports.kind <> $2
    and not exists (select from bank_lines_told_again where same_as = bank_entries.entry_id)
  order by bank_entries.created_at, bank_entries.entry_id, bank_entries.id`)

/** What was booked on these days and only files of the other kind have told, oldest first. */
export async function entriesToldOnce(
  tx: Executor,
  kind: BankReport['kind'],
  days: readonly string[],
): Promise<BankEntry[]> {
  if (days.length === 0) return []
  return (await tx.run(selectToldOnce, [days, kind])).map(bankEntries.read)
}
