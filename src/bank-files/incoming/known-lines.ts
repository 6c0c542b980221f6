// The SQL of booked lines: what earlier files have reported, by which kind of file (docs/decisions/0013).
import { derivedId } from '../../kernel/random.ts'
import { type Executor, rowSet, type StoredRowOf, statement } from '../../storage/index.ts'
import { type BankEntry, type BankReport, bankEntries, bankLineDuplicates } from './model.ts'

/** A booked line that is kept. */
export interface KnownLine {
  readonly entryId: string
  /** Of the file that reported it first, and that file's name. */
  readonly kind: BankReport['kind']
  readonly fileName: string
  /** Never empty: its transactions. */
  readonly entries: readonly [BankEntry, ...BankEntry[]]
  /** By the other kind of file: the id it would have by what that one says, and where it stands there. */
  readonly again?: { readonly entryId: string; readonly place: string | undefined } | undefined
}

/** The problem of a credit of which nobody can say whether an earlier file reported it. */
export function mayStandElsewhere({ fileName, entries: [{ id }] }: KnownLine): string {
  return `it may be entry ${id} of ${fileName} or as much again: give it to a wallet, or close it with a note`
}

const selectLines = statement<
  StoredRowOf<typeof bankEntries> & {
    kind: BankReport['kind']
    file_name: string
    again_id: string | null
    again_place: string | null
  }
>(`
  select ${bankEntries.list('entry')}, report.kind, report.file_name, again.entry_id as again_id, again.place as again_place
  from bank_entries as entry
  join bank_reports as report on report.id = entry.report_id
  left join bank_line_duplicates as again on again.same_as = entry.entry_id
  where entry.entry_id in (
    select entry_id from bank_entries
    where booked_on = any($1::date[]) or servicer_reference = any($2::text[]) or ($3 and booked_on is null)
    union
    select same_as from bank_line_duplicates where entry_id = any($4::uuid[])
  )
  order by entry.created_at, entry.entry_id, entry.id`)

/** The lines booked on these days, or under these references or ids, oldest first. */
export async function knownLines(
  tx: Executor,
  wanted: {
    readonly days: readonly string[]
    readonly references: readonly string[]
    /** Whether lines without a day are wanted too. */
    readonly hasUndated: boolean
    /** Of lines as the other kind of file reports them. */
    readonly ids: readonly string[]
  },
): Promise<KnownLine[]> {
  const rows = await tx.run(selectLines, [wanted.days, wanted.references, wanted.hasUndated, wanted.ids])
  const read = rows.map((row) => ({ row, entry: bankEntries.read(row) }))
  return [...Map.groupBy(read, ({ entry }) => entry.entryId)].map(([entryId, ofLine]) => {
    const { kind, file_name: fileName, again_id, again_place } = (ofLine[0] as (typeof ofLine)[0]).row
    return {
      ...{ entryId, kind, fileName },
      entries: ofLine.map(({ entry }) => entry) as [BankEntry, ...BankEntry[]],
      again: again_id === null ? undefined : { entryId: again_id, place: again_place ?? undefined },
    }
  })
}

const reportedAgain = rowSet(bankLineDuplicates.types)

const insertReportedAgain = statement(`
  with input as (${reportedAgain.source})
  insert into bank_line_duplicates (${bankLineDuplicates.list()}) select ${bankLineDuplicates.list()} from input`)

/** Notes that a file reports lines that the other kind of file reported first. @param lines with the id of the known one */
export async function noteReportedAgain(
  tx: Executor,
  { kind, id }: Pick<BankReport, 'kind' | 'id'>,
  lines: readonly { readonly entryId: string; readonly place: string; readonly sameAs: string }[],
): Promise<void> {
  if (lines.length === 0) return
  const rows = lines.map((line) => bankLineDuplicates.write({ ...line, kind, reportId: id }))
  await tx.run(insertReportedAgain, reportedAgain.parameters(rows))
}

/** The id of a line whose own id is that of another line of the other kind of file. */
export function idForSource(id: string, kind: BankReport['kind']): string {
  return derivedId(`${id} ${kind}`, 'bank entry')
}
