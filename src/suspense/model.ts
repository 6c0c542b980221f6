// The table of money in suspense.
import type { Method } from '../methods/list.ts'
import type { RefundAccount } from '../rails/index.ts'
import { column, type RowOf, table } from '../storage/tables/table.ts'

/** `REFUNDING`: the provider or bank was asked. `REFUNDED`: a transfer can still be returned. */
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
    /** The wallet of the reference; 0 if unknown. */
    walletId: column.bigint(),
    method: column.text<Method>(),
    /** The provider's id: one payment is stored once. */
    paymentId: column.uuid(),
    /** The provider's key of the reference, needed for a refund. */
    referenceKey: column.uuid().optional(),
    /** As the payer typed it. */
    reference: column.text(),
    /** In cents, above zero. */
    amount: column.cents(),
    /** In a word. */
    reason: column.text(),
    paidAt: column.instant(),
    state: column.text<SuspenseState>(),
    refundKey: column.uuid().optional(),
    refundBy: column.text<'rail' | 'transfer'>().optional(),
    /** The payer's account, for a provider that needs it. */
    refundTo: column.json<RefundAccount>().optional(),
    /** Number of tries to refund. */
    refunds: column.integer(),
    /** Reason why a refund failed. */
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
