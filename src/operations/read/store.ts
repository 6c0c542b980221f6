// The SQL of operations: rows and the look-up by key.
import { type Executor, lookup, type RowOf, type StoredRowOf } from '../../storage/index.ts'
import { type Operation, operations } from '../model.ts'

/** What a merchant is shown of an operation. */
export const shownOperations = operations.pick(
  'id',
  'type',
  'status',
  'method',
  'amount',
  'fee',
  'currency',
  'channel',
  'ipaddress',
  'parentId',
  'refunded',
  'splitAt',
  'extInvoiceId',
  'extEmail',
  'extCustomerId',
  'extEmployee',
  'notes',
  'items',
  'client',
  'card',
  'mb',
  'phone',
  'callbackUrl',
  'cardSecureUrls',
  'instant',
  'starts',
  'expires',
  'createdAt',
  'modifiedAt',
)
export type ShownOperation = RowOf<typeof shownOperations>

const operationByKey = lookup<StoredRowOf<typeof operations>>({
  key: { wallet_id: 'bigint', id: 'uuid' },
  sql: 'select * from operations where wallet_id = wanted.wallet_id and id = wanted.id',
})

/** The wallet's operation, if it has one with that id. */
export async function findOperation(
  db: Executor,
  walletId: bigint,
  id: string,
): Promise<Operation | undefined> {
  const row = await db.find(operationByKey, [walletId, id])
  return row === undefined ? undefined : operations.read(row)
}
