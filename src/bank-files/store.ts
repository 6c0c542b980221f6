// The SQL of orders for the bank and of the files that carry them, each order in exactly one.
import type { Day } from '../kernel/lisbon.ts'
import type { Cents } from '../kernel/money.ts'
import { type Instant, toTimestamp } from '../kernel/time.ts'
import { type Executor, statement } from '../storage/index.ts'
import type { BankFile, BankOrder, OrderKind } from './model.ts'

const insertOrder = statement(`
  insert into bank_orders (
    id, wallet_id, kind, operation_id, amount, currency, party_name, party_iban, remittance, mandate_id, signed_on,
    due_on, created_at
  )
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
  on conflict (wallet_id, id) do nothing`)

/** Puts an order among those for the next file; a known one changes nothing. */
export async function addBankOrder(db: Executor, order: BankOrder): Promise<void> {
  const { id, walletId, kind, operationId, amount, currency, party, remittance, dueOn, createdAt } = order
  const mandate = order.kind === 'collection' ? order.mandate : undefined
  const own = [id, walletId, kind, operationId, amount, currency, party.name, party.iban, remittance]
  await db.run(insertOrder, [
    ...own,
    mandate?.id ?? null,
    mandate?.signedOn ?? null,
    dueOn,
    toTimestamp(createdAt),
  ])
}

interface OrderRow {
  id: string
  wallet_id: bigint
  kind: OrderKind
  operation_id: string
  amount: bigint
  currency: 'EUR'
  party_name: string
  party_iban: string
  remittance: string
  mandate_id: string | null
  signed_on: Day | null
  due_on: Day
  created_at: Instant
}

function orderOf(row: OrderRow): BankOrder {
  const order = {
    id: row.id,
    walletId: row.wallet_id,
    operationId: row.operation_id,
    amount: row.amount as Cents,
    currency: row.currency,
    party: { name: row.party_name, iban: row.party_iban },
    remittance: row.remittance,
    dueOn: row.due_on,
    createdAt: row.created_at,
  }
  return row.mandate_id === null || row.signed_on === null
    ? { ...order, kind: 'transfer' }
    : { ...order, kind: 'collection', mandate: { id: row.mandate_id, signedOn: row.signed_on } }
}

const selectOrder = statement<OrderRow>('select * from bank_orders where wallet_id = $1 and id = $2')

/** The wallet's order of a key, if there is one. */
export async function findBankOrder(
  db: Executor,
  walletId: bigint,
  id: string,
): Promise<BankOrder | undefined> {
  const [row] = await db.run(selectOrder, [walletId, id])
  return row && orderOf(row)
}

interface FileRow {
  id: string
  kind: OrderKind
  name: string
  orders: number
  total: bigint
  created_at: Instant
}

function fileOf({ created_at: createdAt, total, ...row }: FileRow): BankFile {
  return { ...row, total: total as Cents, createdAt }
}

const gatherOrders = statement<FileRow>(`
  with picked as (
    select wallet_id, id, amount from bank_orders
    where kind = $2 and file_id is null
    order by created_at, id
    limit $5
    for update skip locked
  ),
  made as (
    insert into bank_files (id, kind, name, orders, total, created_at)
    select $1, $2, $3, count(*), sum(amount), $4 from picked having count(*) > 0
    returning id, kind, name, orders, total, created_at
  ),
  filed as (
    update bank_orders set file_id = made.id
    from picked, made
    where bank_orders.wallet_id = picked.wallet_id and bank_orders.id = picked.id
  )
  select * from made`)

/** Gives orders that are in no file to a new one; undefined when there are none. */
export async function gatherFile(
  db: Executor,
  file: Pick<BankFile, 'id' | 'kind' | 'name' | 'createdAt'>,
  ordersMax: number,
): Promise<BankFile | undefined> {
  const { id, kind, name, createdAt } = file
  const [row] = await db.run(gatherOrders, [id, kind, name, toTimestamp(createdAt), ordersMax])
  return row && fileOf(row)
}

const selectUnwritten = statement<FileRow>(`
  select id, kind, name, orders, total, created_at from bank_files where written_at is null order by created_at, id`)

/** Files that were gathered, and perhaps not written before a crash. */
export async function listUnwritten(db: Executor): Promise<BankFile[]> {
  return (await db.run(selectUnwritten)).map(fileOf)
}

const selectOrders = statement<OrderRow>(
  'select * from bank_orders where file_id = $1 order by due_on, created_at, id',
)

/** The orders of a file, in the order in which they stand there. */
export async function listOrders(db: Executor, fileId: string): Promise<BankOrder[]> {
  return (await db.run(selectOrders, [fileId])).map(orderOf)
}

const updateWritten = statement('update bank_files set written_at = $2 where id = $1 and written_at is null')

export async function markWritten(db: Executor, fileId: string, now: Instant): Promise<void> {
  await db.run(updateWritten, [fileId, toTimestamp(now)])
}
