// The table of refunds to a bank account.
import { column, type RowOf, table } from '../../../storage/tables/table.ts'

export const accountRefunds = table('account_refunds', {
  /** The REFUND. */
  id: column.uuid(),
  walletId: column.bigint(),
  /** Undefined: the merchant named the account. */
  expiresAt: column.instant().optional(),
  /** Since then the account is in the bank order of the refund. */
  namedAt: column.instant().optional(),
  /** The bank gets the order on this day or later. */
  sendOn: column.day().optional(),
  /** The page ended unused. */
  endedAt: column.instant().optional(),
})

export type AccountRefund = RowOf<typeof accountRefunds>
