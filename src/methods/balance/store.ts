// The SQL of payments from balances.
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import { type Executor, execute, findFirst, statement, storeFunction } from '../../storage/index.ts'
import { column, type RowOf, table } from '../../storage/tables/table.ts'
import { type Subscription, subscriptions } from '../../subscriptions/index.ts'

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

export const findPayer = storeFunction(
  (walletId: bigint, operationId: string) => [walletId, operationId],
  ([row]: { consumer_id: bigint }[]) => row?.consumer_id,
)`
  select consumer_id from balance_payments where wallet_id = $1 and operation_id = $2 and failure is null`

export interface BalanceAcceptance {
  readonly consumerId: bigint
  readonly attemptId: string
}

export const approveFromBalance = findFirst(
  subscriptions,
  (
    { walletId, id }: Pick<Subscription, 'walletId' | 'id'>,
    { consumerId, attemptId }: BalanceAcceptance,
    now: Instant,
  ) => [walletId, id, consumerId, attemptId, toTimestamp(now)],
)`
  update subscriptions set
    status = 'APPROVED', method = 'WALLET', consumer_id = $3, attempt_id = $4, modified_at = $5
  where wallet_id = $1 and id = $2 and status = 'NEW' and not under_approval and operation_id is null
  returning *`

const keepRow = statement<{ id: string }>(`
  update subscriptions set method = 'WALLET', consumer_id = $3, modified_at = $4
  where wallet_id = $1 and id = $2 and status = 'NEW'
  returning id`)

export async function keepConsumer(
  tx: Executor,
  { walletId, id }: Pick<Subscription, 'walletId' | 'id'>,
  consumerId: bigint,
  now: Instant,
): Promise<void> {
  const kept = await tx.run(keepRow, [walletId, id, consumerId, toTimestamp(now)])
  if (kept.length === 0) throw new Error(`subscription ${id} was decided before its payment`)
}
