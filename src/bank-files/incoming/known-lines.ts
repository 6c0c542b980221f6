// The SQL of booked lines that earlier files reported.
import { derivedId } from '../../kernel/random.ts'
import { type Executor, rowSet, type StoredRowOf, statement } from '../../storage/index.ts'
import { type BankEntry, type BankReport, bankEntries, bankLineDuplicates } from './model.ts'

export interface KnownLine {
  readonly entryId: string
  readonly kind: BankReport['kind']
  readonly fileName: string
  readonly entries: readonly [BankEntry, ...BankEntry[]]
  /** Report by the other kind of file: the id from that file's fingerprint, and its position there. */
  readonly again?: { readonly entryId: string; readonly statementPosition: string | undefined } | undefined
}

export function possibleDuplicateOf({ fileName, entries: [{ id }] }: KnownLine): string {
  return `it may repeat entry ${id} of ${fileName}: give it to a wallet, or close it with a note`
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

/** Lines with these days, references or ids, oldest first. */
export async function knownLines(
  tx: Executor,
  wanted: {
    readonly days: readonly string[]
    readonly references: readonly string[]
    readonly hasUndated: boolean
    /** Ids of lines from the other kind of file. */
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
      again:
        again_id === null ? undefined : { entryId: again_id, statementPosition: again_place ?? undefined },
    }
  })
}

const duplicates = rowSet(bankLineDuplicates.types)

const insertDuplicates = statement(`
  with input as (${duplicates.source})
  insert into bank_line_duplicates (${bankLineDuplicates.list()}) select ${bankLineDuplicates.list()} from input`)

/** Records that a file repeats lines of the other kind of file. `sameAs` is the known line. */
export async function recordDuplicates(
  tx: Executor,
  { kind, id }: Pick<BankReport, 'kind' | 'id'>,
  lines: readonly { readonly entryId: string; readonly statementPosition: string; readonly sameAs: string }[],
): Promise<void> {
  if (lines.length === 0) return
  const rows = lines.map((line) => bankLineDuplicates.write({ ...line, kind, reportId: id }))
  await tx.run(insertDuplicates, duplicates.parameters(rows))
}

/** A separate id for a line whose id belongs to a line of the other kind of file. */
export function idForSource(id: string, kind: BankReport['kind']): string {
  return derivedId(`${id} ${kind}`, 'bank entry')
}
