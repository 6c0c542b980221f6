// The SQL of orders settled by hand.
import { toTimestamp } from '../../kernel/time.ts'
import {
  column,
  execute,
  findAll,
  findFirst,
  hasRows,
  type RowOf,
  rowSet,
  type StoredRowOf,
  storeFunction,
} from '../../storage/index.ts'
import { bankOrders, orderKeys, type StoredOrder } from '../model.ts'
import { bankSettlements, isGivenSql, type Settlement } from './model.ts'

const ordersInFiles = bankOrders.whole.with({ fileName: column.text().optional() })

export type FiledOrder = RowOf<typeof ordersInFiles>

const filedOrders = `
  select bank_orders.*, bank_files.name as file_name
  from bank_orders
  left join bank_files on bank_files.id = bank_orders.file_id and bank_files.written_at is not null`

export const findOrdersNamed = findAll(ordersInFiles, (id: string) => [id])`
  ${filedOrders} where bank_orders.id = $1 or bank_orders.operation_id = $1`

export const lockFiledOrder = findFirst(ordersInFiles, (key: string) => [key])`
  ${filedOrders} where bank_orders.id = $1 for no key update of bank_orders`

const isWaitingSql = 'needs_second and approved_at is null'

export const listOpenOrders = findAll(ordersInFiles, (limit: number) => [limit])`
  ${filedOrders}
  where (answer is null and bank_files.id is not null) or bank_orders.id in (
      select order_id from bank_settlements where ${isWaitingSql}
    )
  order by bank_orders.created_at, bank_orders.id
  limit $1`

export const findWaiting = findAll(bankSettlements, (orderIds: readonly string[]) => [orderIds])`
  select ${bankSettlements.list()} from bank_settlements
  where ${isWaitingSql} and order_id = any($1::uuid[])`

export const addSettlement = hasRows((settlement: Settlement) => bankSettlements.values(settlement))`
  insert into bank_settlements (${bankSettlements.list()}) values (${bankSettlements.placeholders()})
  on conflict do nothing
  returning id`

export const markApproved = execute(({ id, approvedBy, approvedAt, amount }: Settlement) => [
  id,
  approvedBy,
  approvedAt && toTimestamp(approvedAt),
  amount,
])`
  update bank_settlements set approved_by = $2, approved_at = $3, amount = $4 where id = $1`

export const removeWaiting = execute(({ id }: Pick<Settlement, 'id'>) => [id])`
  delete from bank_settlements where id = $1 and ${isWaitingSql}`

const asked = rowSet(orderKeys.types)

const unconfirmed = bankSettlements
  .pick('orderId', 'answer', 'amount', 'fee', 'settledBy', 'settledAt')
  .with({ isAlone: column.boolean() })

/** A settlement that no bank entry has confirmed yet. `isAlone`: the order has no bank entry. */
export type Unconfirmed = RowOf<typeof unconfirmed>

/** Returns the unconfirmed settlements of each order. */
export const unconfirmedOf = storeFunction(
  (orders: readonly Pick<StoredOrder, 'walletId' | 'id' | 'answer'>[]) =>
    asked.parameters(orders.filter(({ answer }) => answer !== undefined).map(orderKeys.write)),
  (rows: StoredRowOf<typeof unconfirmed>[]) => Map.groupBy(rows.map(unconfirmed.read), (one) => one.orderId),
)`
  with input as (${asked.source})
  select ${bankSettlements.list('settled')}, not exists (
      select from bank_entries as entry where entry.wallet_id = input.wallet_id and entry.order_id = input.id
    ) as is_alone
  from input
  join bank_settlements as settled on settled.wallet_id = input.wallet_id and settled.order_id = input.id
  join bank_orders on bank_orders.wallet_id = input.wallet_id and bank_orders.id = input.id
  where ${isGivenSql('settled')} and not exists (
    select from bank_entries as entry
    where entry.wallet_id = input.wallet_id and entry.order_id = input.id
      and ((entry.direction = 'credit') = (bank_orders.kind = 'collection')) = (settled.answer = 'paid')
  )`
