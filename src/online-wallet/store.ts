// The SQL of attempts to pay from an online wallet.
import type { Cents } from '../kernel/money.ts'
import { type Instant, toTimestamp } from '../kernel/time.ts'
import { claimDueSql, type Executor, statement } from '../storage/index.ts'
import type { AttemptState, WalletAttempt } from './model.ts'

interface AttemptRow {
  id: string
  wallet_id: bigint
  operation_id: string
  page_token: string
  state: AttemptState
  amount: bigint
  currency: string
  return_url: string
  approve_url: string | null
  failure: string | null
  inquiries: number
}

function attemptOf(row: AttemptRow): WalletAttempt {
  return {
    id: row.id,
    walletId: row.wallet_id,
    operationId: row.operation_id,
    pageToken: row.page_token,
    state: row.state,
    amount: row.amount as Cents,
    currency: row.currency,
    returnUrl: row.return_url,
    approveUrl: row.approve_url ?? undefined,
    failure: row.failure ?? undefined,
    inquiries: row.inquiries,
  }
}

const insertAttemptRow = statement(`
  insert into online_wallet_attempts (
    id, wallet_id, operation_id, page_token, state, amount, currency, return_url, created_at, modified_at, due_at
  )
  values ($1, $2, $3, $4, 'OPEN', $5, $6, $7, $8, $8, $9)`)

export async function insertAttempt(
  tx: Executor,
  attempt: WalletAttempt,
  now: Instant,
  dueAt: Instant,
): Promise<void> {
  const { id, walletId, operationId, pageToken, amount, currency, returnUrl } = attempt
  const times = [toTimestamp(now), toTimestamp(dueAt)]
  await tx.run(insertAttemptRow, [
    id,
    walletId,
    operationId,
    pageToken,
    amount,
    currency,
    returnUrl,
    ...times,
  ])
}

const abandonOpen = statement(`
  update online_wallet_attempts set state = 'ABANDONED', due_at = null, modified_at = $4
  where wallet_id = $1 and operation_id = $2 and id <> $3 and state = 'OPEN'`)

/** Ends the attempts that a new one takes the place of. */
export async function abandonOthers(tx: Executor, attempt: WalletAttempt, now: Instant): Promise<void> {
  await tx.run(abandonOpen, [attempt.walletId, attempt.operationId, attempt.id, toTimestamp(now)])
}

const selectAttempt = statement<AttemptRow>('select * from online_wallet_attempts where id = $1')

/** The attempt of a key, which the wallet's reports name without a merchant. */
export async function findAttemptByKey(db: Executor, key: string): Promise<WalletAttempt | undefined> {
  const [row] = await db.run(selectAttempt, [key])
  return row && attemptOf(row)
}

const selectByPageToken = statement<AttemptRow>(`
  select * from online_wallet_attempts where wallet_id = $1 and operation_id = $2 and page_token = $3`)

/** The attempt that a page has started already. */
export async function findAttemptByPageToken(
  db: Executor,
  walletId: bigint,
  operationId: string,
  pageToken: string,
): Promise<WalletAttempt | undefined> {
  const [row] = await db.run(selectByPageToken, [walletId, operationId, pageToken])
  return row && attemptOf(row)
}

const selectPaid = statement<AttemptRow>(`
  select * from online_wallet_attempts where wallet_id = $1 and operation_id = $2 and state = 'PAID'`)

/** The attempt that paid the wallet's operation. */
export async function findPaidAttempt(
  db: Executor,
  walletId: bigint,
  operationId: string,
): Promise<WalletAttempt | undefined> {
  const [row] = await db.run(selectPaid, [walletId, operationId])
  return row && attemptOf(row)
}

const updateApproveUrl = statement(`
  update online_wallet_attempts set approve_url = $3 where wallet_id = $1 and id = $2 and state = 'OPEN'`)

export async function recordApproveUrl(
  db: Executor,
  { walletId, id }: WalletAttempt,
  approveUrl: string,
): Promise<void> {
  await db.run(updateApproveUrl, [walletId, id, approveUrl])
}

const markTaking = statement<{ id: string }>(`
  update online_wallet_attempts set state = 'TAKING', due_at = $4, inquiries = 0, modified_at = $3
  where wallet_id = $1 and id = $2 and state = 'OPEN'
  returning id`)

/** OPEN becomes TAKING; false when it was not open any more. */
export async function recordTaking(
  tx: Executor,
  { walletId, id }: WalletAttempt,
  now: Instant,
  dueAt: Instant,
): Promise<boolean> {
  return (await tx.run(markTaking, [walletId, id, toTimestamp(now), toTimestamp(dueAt)])).length === 1
}

const endAttemptRow = statement(`
  update online_wallet_attempts set
    state = $4, failure = $5, reference = $6, due_at = null, modified_at = $7
  where wallet_id = $1 and id = $2 and state = $3`)

export interface AttemptEnd {
  readonly from: 'OPEN' | 'TAKING'
  readonly state: 'PAID' | 'DECLINED' | 'ABANDONED'
  readonly failure?: string | undefined
  readonly reference?: string | undefined
}

/** Ends an attempt that is in the state named; otherwise it has ended, or gone on, before. */
export async function endAttempt(
  db: Executor,
  { walletId, id }: WalletAttempt,
  { from, state, failure, reference }: AttemptEnd,
  now: Instant,
): Promise<void> {
  await db.run(endAttemptRow, [
    walletId,
    id,
    from,
    state,
    failure ?? null,
    reference ?? null,
    toTimestamp(now),
  ])
}

const claimDue = statement<AttemptRow>(`
  ${claimDueSql('online_wallet_attempts', 'inquiries = inquiries + 1')}
  returning *`)

/** Attempts that nobody told of, leased until `leasedUntil`. */
export async function claimDueAttempts(
  db: Executor,
  now: Instant,
  leasedUntil: Instant,
  limit: number,
): Promise<WalletAttempt[]> {
  return (await db.run(claimDue, [toTimestamp(now), toTimestamp(leasedUntil), limit])).map(attemptOf)
}

const updateDue = statement(`
  update online_wallet_attempts set due_at = $3 where wallet_id = $1 and id = $2 and due_at is not null`)

export async function postponeAttempt(
  db: Executor,
  { walletId, id }: WalletAttempt,
  dueAt: Instant,
): Promise<void> {
  await db.run(updateDue, [walletId, id, toTimestamp(dueAt)])
}
