// The SQL of attempts to pay from an online wallet.
import { type Instant, toTimestamp } from '../kernel/time.ts'
import { claimDueSql, type Executor, type StoredRowOf, statement } from '../storage/index.ts'
import { type WalletAttempt, walletAttempts } from './model.ts'

type AttemptRow = StoredRowOf<typeof walletAttempts>

const newAttempts = walletAttempts.whole.omit('approveUrl', 'failure', 'inquiries', 'reference')

const insertAttemptRow = statement(
  `insert into online_wallet_attempts (${newAttempts.list()}) values (${newAttempts.placeholders()})`,
)

export async function insertAttempt(
  tx: Executor,
  attempt: WalletAttempt,
  now: Instant,
  dueAt: Instant,
): Promise<void> {
  await tx.run(insertAttemptRow, newAttempts.values({ ...attempt, createdAt: now, modifiedAt: now, dueAt }))
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
  return walletAttempts.first(await db.run(selectAttempt, [key]))
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
  return walletAttempts.first(await db.run(selectByPageToken, [walletId, operationId, pageToken]))
}

const selectPaid = statement<AttemptRow>(`
  select * from online_wallet_attempts where wallet_id = $1 and operation_id = $2 and state = 'PAID'`)

/** The attempt that paid the wallet's operation. */
export async function findPaidAttempt(
  db: Executor,
  walletId: bigint,
  operationId: string,
): Promise<WalletAttempt | undefined> {
  return walletAttempts.first(await db.run(selectPaid, [walletId, operationId]))
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
  return (await db.run(claimDue, [toTimestamp(now), toTimestamp(leasedUntil), limit])).map(
    walletAttempts.read,
  )
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
