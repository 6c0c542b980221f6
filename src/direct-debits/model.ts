// A direct debit: what its debtor agreed to, and how far the bank is with it.
import { column, type RowOf, table } from '../storage/tables/table.ts'

export type DebitState = 'ORDERED' | 'WAITING' | 'PAID' | 'RETURNED'

/**
 * Every way a debit may go. PAID is where most stay; their debtors can have them returned for eight weeks.
 *
 * @public Compared with its drawing in docs/states.
 */
export const directDebitTransitions: Readonly<Record<DebitState, readonly DebitState[]>> = {
  ORDERED: ['WAITING', 'PAID', 'RETURNED'],
  WAITING: ['PAID', 'RETURNED'],
  PAID: ['RETURNED'],
  RETURNED: [],
}

export const directDebits = table(
  'direct_debits',
  {
    /** The bank's key of our order. */
    id: column.uuid(),
    walletId: column.bigint(),
    operationId: column.uuid(),
    pageToken: column.uuid(),
    state: column.text<DebitState>(),
    amount: column.cents(),
    currency: column.text<'EUR'>(),
    merchantName: column.text(),
    /** Whose account is debited; its IBAN in electronic form, without spaces. */
    debtor: column.embedded({ name: column.text(), iban: column.text().named('iban') }),
    mandate: column.embedded({
      id: column.text(),
      /** The words that the debtor agreed to. */
      text: column.text(),
      signedOn: column.day().named('signed_on'),
      /** Network address from which they agreed. */
      signedFrom: column.text().named('signed_from').optional(),
    }),
    /** The day on which the bank is to collect. */
    collectOn: column.day(),
    /** Why it was returned, in a word of the bank. */
    failure: column.text().optional(),
    inquiries: column.integer(),
    paidAt: column.instant().optional(),
  },
  {
    createdAt: column.instant(),
    modifiedAt: column.instant(),
    dueAt: column.instant().optional(),
  },
)

export type DirectDebit = RowOf<typeof directDebits>
export type Debtor = DirectDebit['debtor']
