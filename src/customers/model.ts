// Types and table of customers.
import type { Instant } from '../kernel/time.ts'
import type { Method } from '../methods/list.ts'
import { column, type RowOf, table } from '../storage/tables/table.ts'

export const customers = table(
  'customers',
  {
    id: column.uuid(),
    walletId: column.bigint(),
    extCustomerId: column.text().named('ext_customerid').optional(),
    name: column.text().optional(),
    email: column.text().optional(),
    /** E.164. */
    phone: column.text().optional(),
    createdAt: column.instant(),
    modifiedAt: column.instant(),
  },
  { nameKey: column.text().optional() },
)

export type Customer = RowOf<typeof customers>

export type CustomerData = Pick<Customer, 'extCustomerId' | 'name' | 'email' | 'phone'>

/** ACTIVE: offered on checkouts. EXPIRED: its month is over. REFUSED: the issuer refused it for good. */
export const paymentMethodStatuses = ['ACTIVE', 'EXPIRED', 'REFUSED'] as const

/** A card that the customer saved. Its id is no token: the card API refuses it. */
export interface PaymentMethod {
  readonly id: string
  readonly method: Method
  readonly brand: string
  readonly last4: string
  readonly valdate: string
  readonly status: (typeof paymentMethodStatuses)[number]
  readonly createdAt: Instant
}
