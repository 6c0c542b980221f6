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
  statement,
} from '../storage/index.ts'
import { type BankFile, type BankOrder, bankFiles, bankOrders } from './model.ts'

/** Adds an order for the next file; a known order is unchanged. */
export const addBankOrder = execute((order: BankOrder) => bankOrders.values(order))`
  insert into bank_orders (${bankOrders.list()}) values (${bankOrders.placeholders()})
  on conflict (wallet_id, id) do nothing`

type OrderRow = StoredRowOf<typeof bankOrders>

/** Only collections have a mandate (a check of the table). */
function orderOf(row: OrderRow): BankOrder {
  return bankOrders.read(row) as BankOrder
}

const selectOrdersOfKeys = statement<OrderRow>(
  'select * from bank_orders where wallet_id = $1 and id = any($2::uuid[])',
)

export async function findBankOrders(
  db: Executor,
  walletId: bigint,
  ids: readonly string[],
): Promise<ReadonlyMap<string, BankOrder>> {
  const orders = (await db.run(selectOrdersOfKeys, [walletId, ids])).map(orderOf)
  return new Map(orders.map((order) => [order.id, order]))
}

export async function findBankOrder(
  db: Executor,
  walletId: bigint,
  id: string,
): Promise<BankOrder | undefined> {
  return (await findBankOrders(db, walletId, [id])).get(id)
}

/** Rails know only the key of an order, not its wallet. */
export const findOrderByKey = findFirst(bankOrders, (key: string) => [key])`
  select * from bank_orders where id = $1`

export const lockOrder = findFirst(bankOrders, (key: string) => [key])`
  select * from bank_orders where id = $1 for no key update`

const selectRefunded = statement<{ refund_of: string; total: bigint }>(`
  select refund_of, sum(amount)::bigint as total from bank_orders
  where refund_of = any($1::uuid[]) and answer is distinct from 'returned'
  group by refund_of`)

/** Sum of the refunds of each collection in cents, without returned ones. */
export async function sumsOfRefunds(
  db: Executor,
  keys: readonly string[],
): Promise<ReadonlyMap<string, bigint>> {
  if (keys.length === 0) return new Map()
  return new Map((await db.run(selectRefunded, [keys])).map((row) => [row.refund_of, row.total]))
}

type FileRow = StoredRowOf<typeof bankFiles>

const gatherOrders = statement<FileRow>(`
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
  select * from made`)

/** Moves waiting orders into a new file; undefined if none wait. */
export async function gatherFile(
  db: Executor,
  file: Pick<BankFile, 'id' | 'kind' | 'name' | 'createdAt' | 'format'>,
  ordersMax: number,
): Promise<BankFile | undefined> {
  const { id, kind, name, createdAt, format } = file
  const values = [id, kind, name, toTimestamp(createdAt), ordersMax, format]
  return bankFiles.first(await db.run(gatherOrders, values))
}

/** Locks the oldest gathered file that may not be written yet. */
export const lockUnwrittenFile = findFirst(bankFiles, () => [])`
  select ${bankFiles.list()} from bank_files where written_at is null
  order by created_at, id
  limit 1
  for update skip locked`

const selectOrders = statement<OrderRow>(
  'select * from bank_orders where file_id = $1 order by due_on, created_at, id',
)

export async function listOrders(db: Executor, fileId: string): Promise<BankOrder[]> {
  return (await db.run(selectOrders, [fileId])).map(orderOf)
}

const selectWaiting = statement<{ kind: string; orders: bigint; total: bigint }>(`
  select kind, count(*) as orders, sum(amount)::bigint as total from bank_orders
  where file_id is null
  group by kind
  order by kind`)

export async function waitingOrders(
  db: Executor,
): Promise<readonly { readonly kind: string; readonly orders: bigint; readonly total: bigint }[]> {
  return db.run(selectWaiting)
}

export const isWrittenFile = hasRows((name: string) => [name])`
  select name from bank_files where name = $1 and written_at is not null`

export const markWritten = execute((fileId: string, now: Instant) => [fileId, toTimestamp(now)])`
  update bank_files set written_at = $2 where id = $1 and written_at is null`

const listedFiles = bankFiles.whole

/** Without `writtenAt` the file is not in the folder yet. */
export type ListedFile = RowOf<typeof listedFiles>

export const listFiles = findAll(listedFiles, (limit: number) => [limit])`
  select ${listedFiles.list()} from bank_files order by created_at desc, id desc limit $1`
