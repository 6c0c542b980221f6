// The SQL of bank orders and their files.
import { type Instant, toTimestamp } from '../kernel/time.ts'
import {
  type Executor,
  execute,
  findAll,
  findFirst,
  hasRows,
  type RowOf,
  type StoredRowOf,
  storeFunction,
} from '../storage/index.ts'
import { type BankFile, type BankOrder, bankFiles, bankOrders } from './model.ts'

/** Adds an order for the next file. If the order is known, it stays unchanged. */
export const addBankOrder = execute((order: BankOrder) => bankOrders.values(order))`
  insert into bank_orders (${bankOrders.list()}) values (${bankOrders.placeholders()})
  on conflict (wallet_id, id) do nothing`

type OrderRow = StoredRowOf<typeof bankOrders>

/** Only collections have a mandate, which a check of the table ensures. */
function orderOf(row: OrderRow): BankOrder {
  return bankOrders.read(row) as BankOrder
}

export const findBankOrders = storeFunction(
  (walletId: bigint, ids: readonly string[]) => [walletId, ids],
  (rows: OrderRow[]): ReadonlyMap<string, BankOrder> =>
    new Map(rows.map(orderOf).map((order) => [order.id, order])),
)`
  select * from bank_orders where wallet_id = $1 and id = any($2::uuid[])`

export async function findBankOrder(
  db: Executor,
  walletId: bigint,
  id: string,
): Promise<BankOrder | undefined> {
  return (await findBankOrders(db, walletId, [id])).get(id)
}

/** Finds it without a wallet, because rails know only the key. */
export const findOrderByKey = findFirst(bankOrders, (key: string) => [key])`
  select * from bank_orders where id = $1`

export const lockOrder = findFirst(bankOrders, (key: string) => [key])`
  select * from bank_orders where id = $1 for no key update`

/** Sum of the refunds of each collection in cents, without returned ones. */
export const sumsOfRefunds = storeFunction(
  (keys: readonly string[]) => [keys],
  (rows: { refund_of: string; total: bigint }[]): ReadonlyMap<string, bigint> =>
    new Map(rows.map((row) => [row.refund_of, row.total])),
)`
  select refund_of, sum(amount)::bigint as total from bank_orders
  where refund_of = any($1::uuid[]) and answer is distinct from 'returned'
  group by refund_of`

/** Moves waiting orders into a new file. Returns undefined if there are no waiting orders. */
export const gatherFile = findFirst(
  bankFiles,
  (file: Pick<BankFile, 'id' | 'kind' | 'name' | 'createdAt' | 'format'>, ordersMax: number) => [
    file.id,
    file.kind,
    file.name,
    toTimestamp(file.createdAt),
    ordersMax,
    file.format,
  ],
)`
  with picked as (
    select wallet_id, id, amount from bank_orders
    where kind = $2 and file_id is null
    order by created_at, id
    limit $5
    for update skip locked
  ),
  made as (
    insert into bank_files (${bankFiles.list()})
    select $1, $2, $3, count(*), sum(amount), $4, $6 from picked having count(*) > 0
    returning ${bankFiles.list()}
  ),
  filed as (
    update bank_orders set file_id = made.id
    from picked, made
    where bank_orders.wallet_id = picked.wallet_id and bank_orders.id = picked.id
  )
  select * from made`

/** Locks the oldest file that may not be in the folder yet. */
export const lockUnwrittenFile = findFirst(bankFiles, () => [])`
  select ${bankFiles.list()} from bank_files where written_at is null
  order by created_at, id
  limit 1
  for update skip locked`

export const listOrders = findAll({ read: orderOf }, (fileId: string) => [fileId])`
  select * from bank_orders where file_id = $1 order by due_on, created_at, id`

export const waitingOrders = storeFunction(
  () => [],
  (rows: { kind: string; orders: bigint; total: bigint }[]) => rows,
)`
  select kind, count(*) as orders, sum(amount)::bigint as total from bank_orders
  where file_id is null
  group by kind
  order by kind`

export const isWrittenFile = hasRows((name: string) => [name])`
  select name from bank_files where name = $1 and written_at is not null`

export const markWritten = execute((fileId: string, now: Instant) => [fileId, toTimestamp(now)])`
  update bank_files set written_at = $2 where id = $1 and written_at is null`

const listedFiles = bankFiles.whole

/** If `writtenAt` is absent, the file is not in the folder yet. */
export type ListedFile = RowOf<typeof listedFiles>

export const listFiles = findAll(listedFiles, (limit: number) => [limit])`
  select ${listedFiles.list()} from bank_files order by created_at desc, id desc limit $1`
