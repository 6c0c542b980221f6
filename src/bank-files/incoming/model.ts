// What a bank has booked on our account, and what it means: an order of ours, money that arrived, or unmatched.
import { derivedId } from '../../kernel/random.ts'
import { column, type RowOf, table } from '../../storage/tables/table.ts'
import type { BankMessage, Direction } from './messages.ts'

/** Files of the bank that were imported. */
export const bankReports = table(
  'bank_reports',
  {
    /** Derived from its content. */
    id: column.uuid(),
    kind: column.text<BankMessage['kind']>(),
    messageId: column.text(),
    fileName: column.text(),
    importedAt: column.instant(),
  },
  {
    /** How many entries were written of it, and what they bring and take, in cents. */
    entries: column.integer().optional(),
    credited: column.cents().optional(),
    debited: column.cents().optional(),
    /** SHA-256 of what the entries say, as hex; empty: there are none. */
    digest: column.text().optional(),
  },
)

export type BankReport = RowOf<typeof bankReports>

/**
 * `ORDER`: it says what became of an order in our files. `TRANSFER`: money that arrived. `UNMATCHED`: neither, kept
 * until the operator says what it was, which is `RESOLVED`.
 */
export type BankEntryState = 'ORDER' | 'TRANSFER' | 'UNMATCHED' | 'RESOLVED'

export const bankEntries = table(
  'bank_entries',
  {
    /** Of the order; of the gateway where there is none. */
    walletId: column.bigint(),
    id: column.uuid(),
    reportId: column.uuid(),
    /** The same for all transactions of one booked line. */
    entryId: column.uuid(),
    /** Whether its line came with its transactions; without them many may stand in one. */
    hasDetails: column.boolean(),
    servicerReference: column.text().optional(),
    direction: column.text<Direction>(),
    amount: column.cents(),
    currency: column.text(),
    bookedOn: column.day().optional(),
    code: column.text().optional(),
    endToEndId: column.text().optional(),
    party: column.embedded({ name: column.text().optional(), iban: column.text().optional() }),
    remittance: column.text().optional(),
    /** Texts in other places; a line is not known by them. */
    furtherText: column.text().optional(),
    returnCode: column.text().optional(),
    state: column.text<BankEntryState>(),
    orderId: column.uuid().optional(),
    /** Where its line stands (lines/lines.ts); absent: not known. */
    place: column.text().optional(),
    /** Whether equal lines of its kind of file stand elsewhere, so that it may be one of them. */
    inDoubt: column.boolean(),
    /** What the bank charged beside the amount, in cents. */
    charge: column.cents().optional(),
    /** Whether that is for several orders; else absent. */
    chargeIsShared: column.boolean().optional(),
    problem: column.text().optional(),
    createdAt: column.instant(),
  },
  {
    resolution: column.text().optional(),
    dueAt: column.instant().optional(),
  },
)

export type BankEntry = RowOf<typeof bankEntries>

/** How many entries each report has, their sums in cents, and a digest of all of them that never changes. */
export const entriesOfReportsSql = (where = '') => `
  select report_id, count(*) as entries, coalesce(sum(amount) filter (where direction = 'credit'), 0) as credited,
    coalesce(sum(amount) filter (where direction = 'debit'), 0) as debited,
    encode(sha256(convert_to(string_agg((jsonb_build_array(
      id, wallet_id, entry_id, has_details, servicer_reference, direction, amount, currency, booked_on, end_to_end_id,
      party_name, party_iban, remittance, return_code, order_id
    ) || case when charge is null then '[]' else jsonb_build_array(charge) end)::text, ' ' order by id), 'UTF8')), 'hex') as digest
  from bank_entries ${where} group by report_id`

/** The id of the part of a debit that came back which had been refunded before: it is an entry of its own, of the same line. */
export function refundedTwiceId(entryOfReturn: string): string {
  return derivedId(entryOfReturn, refundedTwice)
}

/** Lines that a file of the other kind than the first one reports again. */
export const bankLineDuplicates = table('bank_line_duplicates', {
  /** Of the file that reports it again. */
  kind: column.text<BankMessage['kind']>(),
  /** What the line would be called by what that file says. */
  entryId: column.uuid(),
  /** The line that it is; of one line at the most. */
  sameAs: column.uuid(),
  reportId: column.uuid(),
  /** As of an entry. */
  place: column.text().optional(),
})

/** The problem of a credit that no wallet can be given. */
export const nothingCameIn = 'no money came in: its amount is 0.00'

/** The problem of a credit that another file may report again without anybody seeing that it is the same. */
export const nothingDistinguishesIt =
  'money came in without a day and without a reference of the bank: another file may have reported it too'

/** Of an entry whose debit came back whole: the purpose of the id of what a refund had sent of it before. */
export const refundedTwice = 'refunded twice'

/** All texts of an entry. */
export function textOfEntry({ remittance, furtherText }: Pick<BankEntry, 'remittance' | 'furtherText'>) {
  return [remittance, furtherText].filter((text) => text !== undefined).join(' ')
}
