// The SQL of booked lines that earlier files reported.
import type { Cents } from '../../kernel/money.ts'
import { derivedId } from '../../kernel/random.ts'
import { column, execute, type RowOf, rowSet, type StoredRowOf, storeFunction } from '../../storage/index.ts'
import { type BankEntry, type BankReport, bankEntries, bankLineDuplicates } from './model.ts'

export interface KnownLine {
  readonly entryId: string
  readonly kind: BankReport['kind']
  readonly fileName: string
  readonly entries: readonly [BankEntry, ...BankEntry[]]
  /** The same line in the other kind of file: the id from that file's fingerprint, and its position there. */
  readonly again?: { readonly entryId: string; readonly statementPosition: string | undefined } | undefined
}

export function possibleDuplicateOf({ fileName, entries: [{ id }] }: KnownLine): string {
  return `it may repeat entry ${id} of ${fileName}: give it to a wallet, or close it with a note`
}

const entriesOfLines = bankEntries.with({
  kind: column.text<BankReport['kind']>(),
  fileName: column.text(),
  againId: column.uuid().optional(),
  againPlace: column.text().optional(),
})

/**
 * Finds lines with these days, references or ids, oldest first, and lines of these `amounts` that have no details and are
 * unmatched or undated. `ids` come from the other kind of file.
 */
export const knownLines = storeFunction(
  (
    days: readonly string[],
    references: readonly string[],
    hasUndated: boolean,
    amounts: readonly Cents[],
    ids: readonly string[],
  ) => [days, references, hasUndated, ids, amounts.map(String)],
  (rows: StoredRowOf<typeof entriesOfLines>[]): KnownLine[] =>
    [...Map.groupBy(rows.map(entriesOfLines.read), ({ entryId }) => entryId).values()].map((entries) => {
      const [first] = entries as [(typeof entries)[0]]
      const { entryId, kind, fileName, againId, againPlace } = first
      const again = againId === undefined ? undefined : { entryId: againId, statementPosition: againPlace }
      return { entryId, kind, fileName, entries: [first, ...entries.slice(1)], again }
    }),
)`
  select ${bankEntries.list('entry')}, report.kind, report.file_name, again.entry_id as again_id, again.place as again_place
  from bank_entries as entry
  join bank_reports as report on report.id = entry.report_id
  left join bank_line_duplicates as again on again.same_as = entry.entry_id
  where entry.entry_id in (
    select entry_id from bank_entries
    where booked_on = any($1::date[]) or servicer_reference = any($2::text[]) or ($3 and booked_on is null)
    union
    select entry_id from bank_entries
    where (state = 'UNMATCHED' or booked_on is null) and not has_details and amount = any($5::bigint[])
    union
    select same_as from bank_line_duplicates where entry_id = any($4::uuid[])
  )
  order by entry.created_at, entry.entry_id, entry.id`

const duplicates = rowSet(bankLineDuplicates.types)

type Duplicate = Pick<RowOf<typeof bankLineDuplicates>, 'entryId' | 'statementPosition' | 'sameAs'>

/** Records that a file repeats lines of the other kind of file. `sameAs` is the known line. */
export const recordDuplicates = execute(
  ({ kind, id }: Pick<BankReport, 'kind' | 'id'>, lines: readonly Duplicate[]) =>
    duplicates.parameters(lines.map((line) => bankLineDuplicates.write({ ...line, kind, reportId: id }))),
)`
  with input as (${duplicates.source})
  insert into bank_line_duplicates (${bankLineDuplicates.list()}) select ${bankLineDuplicates.list()} from input`

/** Another id for a line, because a line of the other kind of file has its id. */
export function idForSource(id: string, kind: BankReport['kind']): string {
  return derivedId(`${id} ${kind}`, 'bank entry')
}
