// Money that a rail took and that belongs to no operation, until it is given back or assigned to a wallet.
import type { Method } from '../methods/list.ts'
import { column, type RowOf, table } from '../storage/tables/table.ts'

/**
 * `OPEN`: the operator decides. `REFUNDING`: the provider, or the bank, was asked to give it back. `REFUNDED`: it did;
 * a transfer can come back from the bank even then. `ASSIGNED`: it was paid to a wallet.
 */
export const suspenseTransitions = {
  OPEN: ['REFUNDING', 'ASSIGNED'],
  REFUNDING: ['REFUNDED', 'OPEN'],
  REFUNDED: ['OPEN'],
  ASSIGNED: [],
} as const

export type SuspenseState = keyof typeof suspenseTransitions

export const suspenseEntries = table(
  'suspense_entries',
  {
    id: column.uuid(),
    /** Whose reference was paid; 0 where nobody knows. */
    walletId: column.bigint(),
    /** Of whose rail it was taken. */
    method: column.text<Method>(),
    /** The provider's; one payment is kept once. */
    paymentId: column.uuid(),
    /** Under which its provider made the reference, and gives the payment back. */
    referenceKey: column.uuid().optional(),
    /** What the payer typed. */
    reference: column.text(),
    /** In cents, above zero. */
    amount: column.cents(),
    /** Why nothing was paid with it, in a word. */
    reason: column.text(),
    paidAt: column.instant(),
    state: column.text<SuspenseState>(),
    refundKey: column.uuid().optional(),
    refundBy: column.text<'rail' | 'transfer'>().optional(),
    /** How often it was asked to be given back. */
    refunds: column.integer(),
    /** Why it could not be given back. */
    problem: column.text().optional(),
    assignedWalletId: column.bigint().optional(),
    operationId: column.uuid().optional(),
    createdAt: column.instant(),
    resolvedAt: column.instant().optional(),
    dueAt: column.instant().optional(),
    tries: column.integer(),
  },
  {},
)

export type SuspenseEntry = RowOf<typeof suspenseEntries>
