// Orders for the bank: collections from debtors and transfers to beneficiaries.
import type { DebtorAddress, OrderFormats } from '../rails/index.ts'
import { column, type RowOf, table } from '../storage/tables/table.ts'

/** The currency of SEPA, in which the account at the bank is. */
export const accountCurrency = 'EUR'

export type OrderKind = 'transfer' | 'collection'

/** The result of an order; a paid order can still be returned. */
export type OrderAnswer = 'paid' | 'returned'

export const bankOrders = table(
  'bank_orders',
  {
    /** The id is also the key under which the rail knows the order. */
    id: column.uuid(),
    walletId: column.bigint(),
    kind: column.text<OrderKind>(),
    operationId: column.uuid(),
    amount: column.cents(),
    currency: column.text<typeof accountCurrency>(),
    party: column.embedded({ name: column.text(), iban: column.text() }),
    /** Address of a debtor whose bank is outside the European Economic Area. */
    partyAddress: column.json<DebtorAddress>().optional(),
    remittance: column.text(),
    mandate: column.embedded({ id: column.text(), signedOn: column.day().named('signed_on') }).optional(),
    dueOn: column.day(),
    createdAt: column.instant(),
    /** The collection or the payment that a transfer refunds. */
    refundOf: column.uuid().optional(),
    answer: column.text<OrderAnswer>().optional(),
    returnCode: column.text().optional(),
  },
  {
    fileId: column.uuid().optional(),
    answeredAt: column.instant().optional(),
    dueAt: column.instant().optional(),
    /** A remark of the bank that is not an answer. Operators see it. */
    hint: column.text().optional(),
  },
)

export const orderKeys = bankOrders.pick('walletId', 'id')

export type StoredOrder = RowOf<typeof bankOrders>
type Order = Omit<StoredOrder, 'kind' | 'mandate'>

export type BankOrder =
  | (Order & { readonly kind: 'transfer' })
  | (Order & { readonly kind: 'collection'; readonly mandate: NonNullable<StoredOrder['mandate']> })

export const bankFiles = table(
  'bank_files',
  {
    id: column.uuid(),
    kind: column.text<OrderKind>(),
    name: column.text(),
    orders: column.integer(),
    total: column.cents(),
    createdAt: column.instant(),
    /** The file's format, fixed when the file was created. */
    format: column.text<OrderFormats[keyof OrderFormats]>(),
  },
  { writtenAt: column.instant().optional() },
)

export type BankFile = RowOf<typeof bankFiles>

/** Both ends of an IBAN, by which its owner recognizes it. */
export function maskedIban(iban: string): string {
  return `${iban.slice(0, 4)} •••• ${iban.slice(-4)}`
}
