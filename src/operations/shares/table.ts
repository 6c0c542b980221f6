// The table of shares: what sub-merchants have of divided payments.
import { column, type NewRowOf, table } from '../../storage/tables/table.ts'
import { operations } from '../model.ts'
import { storedRational } from './stored-json.ts'

export const shares = table(
  'shares',
  {
    position: column.integer(),
    /** The sub-merchant's. */
    walletId: column.bigint().named('merchant_wallet_id'),
    fraction: column.text().transformed(storedRational, (fraction) => fraction.toFraction()),
    feeFixed: column.cents(),
    feeVariableBp: column.integer(),
    descr: column.text().optional(),
    /** In cents. */
    amount: column.cents(),
    /** What was refunded of it, pending refunds included, in cents. */
    refunded: column.cents(),
    /** The operation by which the sub-merchant sees it. */
    transferId: column.uuid(),
  },
  {
    /** Of whom divided the payment. */
    ownerId: column.bigint().named('wallet_id'),
    operationId: column.uuid(),
    createdAt: column.instant(),
  },
)

/** What is written of a new share, apart from its owner and time, which are the operation's. */
export const newShares = shares.whole.omit('refunded', 'ownerId', 'createdAt')
export type NewShare = NewRowOf<typeof newShares>

/** What is written of an operation by which a sub-merchant sees a share, given or taken back. */
export const newTransfers = operations
  .pick('id', 'walletId', 'method', 'amount', 'parentId', 'notes', 'extInvoiceId')
  .with({
    /** What divided or refunded the payment. */
    operationId: column.uuid(),
  })
export type NewTransfer = NewRowOf<typeof newTransfers>
