// What the bank is asked to do by file: collect from a debtor, or transfer to a beneficiary.
import type { DebtorAddress, OrderFormats } from '../rails/index.ts'
import { column, type RowOf, table } from '../storage/tables/table.ts'

export type OrderKind = 'transfer' | 'collection'

/** What the bank made of an order. A paid one can still be returned. */
export type OrderAnswer = 'paid' | 'returned'

/** What the bank is asked to do by file. */
export const bankOrders = table(
  'bank_orders',
  {
    /** The key under which the rail was asked too. */
    id: column.uuid(),
    walletId: column.bigint(),
    kind: column.text<OrderKind>(),
    operationId: column.uuid(),
    amount: column.cents(),
    currency: column.text<'EUR'>(),
    /** The account at the other end. */
    party: column.embedded({ name: column.text(), iban: column.text() }),
    /** Of a debtor whose bank is outside the European Economic Area. */
    partyAddress: column.json<DebtorAddress>().optional(),
    /** What the other end reads on their statement. */
    remittance: column.text(),
    /** Of a collection, and only of those. */
    mandate: column.embedded({ id: column.text(), signedOn: column.day().named('signed_on') }).optional(),
    dueOn: column.day(),
    createdAt: column.instant(),
    /** The collection that a transfer gives back. */
    refundOf: column.uuid().optional(),
    /** What the bank said by file; undefined until then. */
    answer: column.text<OrderAnswer>().optional(),
    /** The bank's code of why it was returned, such as `AC04`. */
    returnCode: column.text().optional(),
  },
  {
    fileId: column.uuid().optional(),
    answeredAt: column.instant().optional(),
    dueAt: column.instant().optional(),
    /** What the bank said of it without answering it, for the operator. */
    hint: column.text().optional(),
  },
)

export type StoredOrder = RowOf<typeof bankOrders>
type Order = Omit<StoredOrder, 'kind' | 'mandate'>

export type BankOrder =
  | (Order & { readonly kind: 'transfer' })
  | (Order & { readonly kind: 'collection'; readonly mandate: NonNullable<StoredOrder['mandate']> })

/** A file of orders of one kind. */
export const bankFiles = table(
  'bank_files',
  {
    id: column.uuid(),
    kind: column.text<OrderKind>(),
    name: column.text(),
    orders: column.integer(),
    total: column.cents(),
    createdAt: column.instant(),
    /** In which it is written, whatever is set by then. */
    format: column.text<OrderFormats[keyof OrderFormats]>(),
  },
  { writtenAt: column.instant().optional() },
)

export type BankFile = RowOf<typeof bankFiles>

/** Both ends of an IBAN, enough for its owner to know it. */
export function maskedIban(iban: string): string {
  return `${iban.slice(0, 4)} •••• ${iban.slice(-4)}`
}
