// The SQL of direct debits.
import { type Instant, toTimestamp } from '../kernel/time.ts'
import { claimDueSql, type Executor, type StoredRowOf, statement } from '../storage/index.ts'
import { type DirectDebit, directDebits } from './model.ts'

type DebitRow = StoredRowOf<typeof directDebits>

const newDebits = directDebits.whole.omit('failure', 'inquiries', 'paidAt')

const insertDebitRow = statement(
  `insert into direct_debits (${newDebits.list()}) values (${newDebits.placeholders()})`,
)

export async function insertDebit(
  tx: Executor,
  debit: DirectDebit,
  now: Instant,
  dueAt: Instant,
): Promise<void> {
  await tx.run(insertDebitRow, newDebits.values({ ...debit, createdAt: now, modifiedAt: now, dueAt }))
}

const selectDebit = statement<DebitRow>('select * from direct_debits where id = $1')

/** The debit of a key, which the bank's reports name without a merchant. */
export async function findDebitByKey(db: Executor, key: string): Promise<DirectDebit | undefined> {
  return directDebits.first(await db.run(selectDebit, [key]))
}

const selectByPageToken = statement<DebitRow>(`
  select * from direct_debits where wallet_id = $1 and operation_id = $2 and page_token = $3`)

/** The debit that a page has started already. */
export async function findDebitByPageToken(
  db: Executor,
  walletId: bigint,
  operationId: string,
  pageToken: string,
): Promise<DirectDebit | undefined> {
  return directDebits.first(await db.run(selectByPageToken, [walletId, operationId, pageToken]))
}

const selectLatest = statement<DebitRow>(`
  select * from direct_debits where wallet_id = $1 and operation_id = $2 order by id desc limit 1`)

/** The latest debit of the wallet's operation. */
export async function findDebitOf(
  db: Executor,
  walletId: bigint,
  operationId: string,
): Promise<DirectDebit | undefined> {
  return directDebits.first(await db.run(selectLatest, [walletId, operationId]))
}

const markWaiting = statement(`
  update direct_debits set state = 'WAITING', due_at = $4, modified_at = $3
  where wallet_id = $1 and id = $2 and state in ('ORDERED', 'WAITING')`)

/** The bank has it and has not answered; it is asked again at `dueAt`. */
export async function recordWaiting(
  db: Executor,
  { walletId, id }: DirectDebit,
  now: Instant,
  dueAt: Instant,
): Promise<void> {
  await db.run(markWaiting, [walletId, id, toTimestamp(now), toTimestamp(dueAt)])
}

const markPaid = statement(`
  update direct_debits set state = 'PAID', paid_at = $3, due_at = $4, modified_at = $3
  where wallet_id = $1 and id = $2 and state in ('ORDERED', 'WAITING')`)

export async function recordPaid(
  db: Executor,
  { walletId, id }: DirectDebit,
  now: Instant,
  dueAt: Instant | undefined,
): Promise<void> {
  await db.run(markPaid, [walletId, id, toTimestamp(now), dueAt === undefined ? null : toTimestamp(dueAt)])
}

const markReturned = statement<{ id: string }>(`
  update direct_debits set state = 'RETURNED', failure = $3, due_at = null, modified_at = $4
  where wallet_id = $1 and id = $2 and state <> 'RETURNED'
  returning id`)

/** Ends it; false when it had been returned before. */
export async function recordReturned(
  db: Executor,
  { walletId, id }: DirectDebit,
  failure: string,
  now: Instant,
): Promise<boolean> {
  return (await db.run(markReturned, [walletId, id, failure, toTimestamp(now)])).length === 1
}

const claimDue = statement<DebitRow>(`
  ${claimDueSql('direct_debits', 'inquiries = inquiries + 1')}
  returning *`)

/** Debits about which the bank is to be asked, leased until `leasedUntil`. */
export async function claimDueDebits(
  db: Executor,
  now: Instant,
  leasedUntil: Instant,
  limit: number,
): Promise<DirectDebit[]> {
  return (await db.run(claimDue, [toTimestamp(now), toTimestamp(leasedUntil), limit])).map(directDebits.read)
}

const updateDue = statement(`
  update direct_debits set due_at = $3 where wallet_id = $1 and id = $2 and due_at is not null`)

/** Asks again at `dueAt`, or never. */
export async function postponeDebit(
  db: Executor,
  { walletId, id }: DirectDebit,
  dueAt: Instant | undefined,
): Promise<void> {
  await db.run(updateDue, [walletId, id, dueAt === undefined ? null : toTimestamp(dueAt)])
}
