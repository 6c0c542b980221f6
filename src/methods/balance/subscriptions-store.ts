// The SQL of subscriptions charged to a balance.
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import { type Executor, statement } from '../../storage/index.ts'
import { type Subscription, type SubscriptionRow, subscriptions } from '../../subscriptions/index.ts'

export interface BalanceAcceptance {
  readonly consumerId: bigint
  readonly attemptId: string
}

const approveRow = statement<SubscriptionRow>(`
  update subscriptions set
    status = 'APPROVED', method = 'WALLET', consumer_id = $3, attempt_id = $4, modified_at = $5
  where wallet_id = $1 and id = $2 and status = 'NEW' and not under_approval and operation_id is null
  returning *`)

export async function approveFromBalance(
  db: Executor,
  { walletId, id }: Pick<Subscription, 'walletId' | 'id'>,
  { consumerId, attemptId }: BalanceAcceptance,
  now: Instant,
): Promise<Subscription | undefined> {
  return subscriptions.first(
    await db.run(approveRow, [walletId, id, consumerId, attemptId, toTimestamp(now)]),
  )
}

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
