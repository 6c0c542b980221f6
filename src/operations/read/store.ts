// The SQL that reads operations.
import { type Executor, lookup, type RowOf, type StoredRowOf, statement } from '../../storage/index.ts'
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

const lockRow = statement<StoredRowOf<typeof operations>>(`
  select * from operations where wallet_id = $1 and id = $2 for no key update`)

/** The same, locked until the transaction ends. */
export async function lockOperation(
  tx: Executor,
  walletId: bigint,
  id: string,
): Promise<Operation | undefined> {
  return operations.first(await tx.run(lockRow, [walletId, id]))
}

const selectChildren = statement<StoredRowOf<typeof operations>>(`
  select * from operations where wallet_id = $1 and parent_id = $2 and type = $3 order by id`)

export async function findChildren(
  db: Executor,
  { walletId, id }: Pick<Operation, 'walletId' | 'id'>,
  type: OperationType,
): Promise<Operation[]> {
  return (await db.run(selectChildren, [walletId, id, type])).map(operations.read)
}

// Searches wallet by wallet, because an index of ids alone would cost every payment.
const selectByKey = statement<StoredRowOf<typeof operations>>(`
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
  ) as found`)

/** Without `walletId` it searches all wallets, which is slow. */
export async function findOperationByKey(
  db: Executor,
  key: string,
  walletId?: bigint,
): Promise<Operation | undefined> {
  return operations.first(await db.run(selectByKey, [key, walletId ?? null]))
}
