// The table of shares of divided payments.
import { column, type NewRowOf, table } from '../../storage/tables/table.ts'
import { operations } from '../model.ts'
import { storedRational } from './stored-json.ts'

export const shares = table(
  'shares',
  {
    position: column.integer(),
    walletId: column.bigint().named('merchant_wallet_id'),
    fraction: column.text().transformed(storedRational, (fraction) => fraction.toFraction()),
    feeFixed: column.cents(),
    feeVariableBp: column.integer(),
    descr: column.text().optional(),
    amount: column.cents(),
    /** Refunded amount, pending refunds included. */
    refunded: column.cents(),
    transferId: column.uuid(),
  },
  {
    ownerId: column.bigint().named('wallet_id'),
    operationId: column.uuid(),
    createdAt: column.instant(),
  },
)

export const newShares = shares.whole.omit('refunded', 'ownerId', 'createdAt')
export type NewShare = NewRowOf<typeof newShares>

export const newTransfers = operations
  .pick('id', 'walletId', 'method', 'amount', 'parentId', 'notes', 'extInvoiceId')
  .with({
    operationId: column.uuid(),
  })
export type NewTransfer = NewRowOf<typeof newTransfers>
