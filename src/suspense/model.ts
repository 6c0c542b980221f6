// The table of money in suspense.
import type { Method } from '../methods/list.ts'
import type { RefundAccount } from '../rails/index.ts'
import { column, type RowOf, table } from '../storage/tables/table.ts'

/** `REFUNDING`: the provider or bank was asked. `REFUNDED` can end, because transfers are returned. */
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
    /** The wallet of the reference that was paid; 0 if unknown. */
    walletId: column.bigint(),
    method: column.text<Method>(),
    /** The provider's id of the payment, so that each payment is stored once. */
    paymentId: column.uuid(),
    /** The key under which the provider knows the reference. A refund needs it. */
    referenceKey: column.uuid().optional(),
    /** The reference as the payer typed it. */
    reference: column.text(),
    /** Always above zero. */
    amount: column.cents(),
    /** The reason of the entry, as one word. */
    reason: column.text(),
    paidAt: column.instant(),
    state: column.text<SuspenseState>(),
    refundKey: column.uuid().optional(),
    refundBy: column.text<'rail' | 'transfer'>().optional(),
    /** The payer's account, if the provider needs it. */
    refundTo: column.json<RefundAccount>().optional(),
    /** How often a refund was tried. */
    refunds: column.integer(),
    /** The reason why the last refund failed. */
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
