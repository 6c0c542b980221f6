// The SQL of payments from balances.
import type { Instant } from '../../kernel/time.ts'
import { type Executor, execute, statement } from '../../storage/index.ts'
import { column, type RowOf, table } from '../../storage/tables/table.ts'

export const balancePayments = table(
  'balance_payments',
  {
    id: column.uuid(),
    walletId: column.bigint(),
    operationId: column.uuid(),
    consumerId: column.bigint(),
    amount: column.cents(),
    failure: column.text().optional(),
  },
  { createdAt: column.instant() },
)

export type BalancePayment = RowOf<typeof balancePayments>

export const recordBalancePayment = execute((payment: BalancePayment, createdAt: Instant) =>
  balancePayments.whole.values({ ...payment, createdAt }),
)`
  insert into balance_payments (${balancePayments.whole.list()}) values (${balancePayments.whole.placeholders()})`

const selectPayer = statement<{ consumer_id: bigint }>(`
  select consumer_id from balance_payments where wallet_id = $1 and operation_id = $2 and failure is null`)

export async function findPayer(
  db: Executor,
  walletId: bigint,
  operationId: string,
): Promise<bigint | undefined> {
  const [row] = await db.run(selectPayer, [walletId, operationId])
  return row?.consumer_id
}
