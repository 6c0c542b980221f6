// Imported bank files and the entries booked on our account.
import { derivedId } from '../../kernel/random.ts'
import { column, type RowOf, table } from '../../storage/tables/table.ts'
import type { BankMessage, Direction } from './messages.ts'

export const bankReports = table(
  'bank_reports',
  {
    id: column.uuid(),
    kind: column.text<BankMessage['kind']>(),
    messageId: column.text(),
    fileName: column.text(),
    importedAt: column.instant(),
  },
  {
    entries: column.integer().optional(),
    credited: column.cents().optional(),
    debited: column.cents().optional(),
    /** SHA-256 of the entries in hexadecimal digits. Empty if there are no entries. */
    digest: column.text().optional(),
  },
)

export type BankReport = RowOf<typeof bankReports>

/** UNMATCHED entries answer no order and are no transfer. The operator makes them RESOLVED or TRANSFER. */
export type BankEntryState = 'ORDER' | 'TRANSFER' | 'UNMATCHED' | 'RESOLVED'

export const bankEntries = table(
  'bank_entries',
  {
    /** The wallet of the order; 0 if the entry has no order. */
    walletId: column.bigint(),
    id: column.uuid(),
    reportId: column.uuid(),
    entryId: column.uuid(),
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
    /** A text that the fingerprint does not include. */
    furtherText: column.text().optional(),
    returnCode: column.text().optional(),
    state: column.text<BankEntryState>(),
    orderId: column.uuid().optional(),
    /** The position of the line in its statement (lines.ts). Absent if unknown. */
    statementPosition: column.text().named('place').optional(),
    /** True if the line may duplicate another line of its kind of file. */
    inDoubt: column.boolean(),
    charge: column.cents().optional(),
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

/** Number, totals in cents and digest of the entries of each report. Equal entries give the same digest. */
export const entriesOfReportsSql = (where = '') => `
  select report_id, count(*) as entries, coalesce(sum(amount) filter (where direction = 'credit'), 0) as credited,
    coalesce(sum(amount) filter (where direction = 'debit'), 0) as debited,
    encode(sha256(convert_to(string_agg((jsonb_build_array(
      id, wallet_id, entry_id, has_details, servicer_reference, direction, amount, currency, booked_on, end_to_end_id,
      party_name, party_iban, remittance, return_code, order_id
    ) || case when charge is null then '[]' else jsonb_build_array(charge) end)::text, ' ' order by id), 'UTF8')), 'hex') as digest
  from bank_entries ${where} group by report_id`

export function refundedTwiceId(entryOfReturn: string): string {
  return derivedId(entryOfReturn, refundedTwice)
}

/** Lines that both kinds of file have reported. */
export const bankLineDuplicates = table('bank_line_duplicates', {
  kind: column.text<BankMessage['kind']>(),
  /** The id that the second file's fingerprint gives. */
  entryId: column.uuid(),
  sameAs: column.uuid(),
  reportId: column.uuid(),
  statementPosition: column.text().named('place').optional(),
})

export const nothingCameIn = 'no money came in: its amount is 0.00'

/** The problem of a credit without data that would identify it in a second file. */
export const nothingDistinguishesIt =
  'money came in without a day and without a reference of the bank: another file may have reported it too'

/** The purpose in the derived id of an entry for the refunded part of a returned debit. */
export const refundedTwice = 'refunded twice'

export function textOfEntry({ remittance, furtherText }: Pick<BankEntry, 'remittance' | 'furtherText'>) {
  return [remittance, furtherText].filter((text) => text !== undefined).join(' ')
}
