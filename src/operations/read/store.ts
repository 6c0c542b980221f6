// The SQL that reads operations.
import {
  type Executor,
  findAll,
  findFirst,
  lookup,
  type RowOf,
  type StoredRowOf,
} from '../../storage/index.ts'
import { type Operation, type OperationType, operations } from '../model.ts'

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
  'paymentLinkId',
  'refunded',
  'cameBack',
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

export async function findOperation(
  db: Executor,
  walletId: bigint,
  id: string,
): Promise<Operation | undefined> {
  const row = await db.find(operationByKey, [walletId, id])
  return row === undefined ? undefined : operations.read(row)
}

/** Reads an operation and locks it until the transaction ends. */
export const lockOperation = findFirst(operations, (walletId: bigint, id: string) => [walletId, id])`
  select * from operations where wallet_id = $1 and id = $2 for no key update`

export const findChildren = findAll(
  operations,
  ({ walletId, id }: Pick<Operation, 'walletId' | 'id'>, type: OperationType) => [walletId, id, type],
)`
  select * from operations where wallet_id = $1 and parent_id = $2 and type = $3 order by id`

// Searches one wallet after the other, because an index on ids alone would slow down every payment.
/** Without `walletId` the search covers all wallets and is slow. */
export const findOperationByKey = findFirst(operations, (key: string, walletId?: bigint) => [
  key,
  walletId ?? null,
])`
  with attempted as (
    select wallet_id, operation_id as id from attempts where id = $1
    union
    select id, $1::uuid from wallets where $2::bigint is null or id = $2
  )
  select found.*
  from attempted
  cross join lateral (
    select * from operations
    where operations.wallet_id = attempted.wallet_id and operations.id = attempted.id and coalesce(attempt_id, id) = $1
    offset 0
  ) as found`
