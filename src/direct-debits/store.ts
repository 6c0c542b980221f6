// The SQL of direct debits.
import type { Day } from '../kernel/lisbon.ts'
import type { Cents } from '../kernel/money.ts'
import { type Instant, toTimestamp } from '../kernel/time.ts'
import { claimDueSql, type Executor, statement } from '../storage/index.ts'
import type { DebitState, DirectDebit } from './model.ts'

interface DebitRow {
  id: string
  wallet_id: bigint
  operation_id: string
  page_token: string
  state: DebitState
  amount: bigint
  currency: 'EUR'
  merchant_name: string
  debtor_name: string
  iban: string
  mandate_id: string
  mandate_text: string
  signed_on: Day
  signed_from: string | null
  collect_on: Day
  failure: string | null
  inquiries: number
  paid_at: Instant | null
}

function debitOf(row: DebitRow): DirectDebit {
  return {
    id: row.id,
    walletId: row.wallet_id,
    operationId: row.operation_id,
    pageToken: row.page_token,
    state: row.state,
    amount: row.amount as Cents,
    currency: row.currency,
    merchantName: row.merchant_name,
    debtor: { name: row.debtor_name, iban: row.iban },
    mandate: {
      id: row.mandate_id,
      text: row.mandate_text,
      signedOn: row.signed_on,
      signedFrom: row.signed_from ?? undefined,
    },
    collectOn: row.collect_on,
    failure: row.failure ?? undefined,
    inquiries: row.inquiries,
    paidAt: row.paid_at ?? undefined,
  }
}

const insertDebitRow = statement(`
  insert into direct_debits (
    id, wallet_id, operation_id, page_token, state, amount, currency, merchant_name, debtor_name, iban,
    mandate_id, mandate_text, signed_on, signed_from, collect_on, created_at, modified_at, due_at
  )
  values ($1, $2, $3, $4, 'ORDERED', $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15, $16)`)

export async function insertDebit(
  tx: Executor,
  debit: DirectDebit,
  now: Instant,
  dueAt: Instant,
): Promise<void> {
  const { id, walletId, operationId, pageToken, amount, currency, merchantName, debtor, mandate } = debit
  const agreed = [mandate.id, mandate.text, mandate.signedOn, mandate.signedFrom ?? null]
  await tx.run(insertDebitRow, [
    ...[id, walletId, operationId, pageToken, amount, currency, merchantName, debtor.name, debtor.iban],
    ...agreed,
    debit.collectOn,
    toTimestamp(now),
    toTimestamp(dueAt),
  ])
}

const selectDebit = statement<DebitRow>('select * from direct_debits where id = $1')

/** The debit of a key, which the bank's reports name without a merchant. */
export async function findDebitByKey(db: Executor, key: string): Promise<DirectDebit | undefined> {
  const [row] = await db.run(selectDebit, [key])
  return row && debitOf(row)
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
  const [row] = await db.run(selectByPageToken, [walletId, operationId, pageToken])
  return row && debitOf(row)
}

const selectLatest = statement<DebitRow>(`
  select * from direct_debits where wallet_id = $1 and operation_id = $2 order by id desc limit 1`)

/** The latest debit of the wallet's operation. */
export async function findDebitOf(
  db: Executor,
  walletId: bigint,
  operationId: string,
): Promise<DirectDebit | undefined> {
  const [row] = await db.run(selectLatest, [walletId, operationId])
  return row && debitOf(row)
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
  return (await db.run(claimDue, [toTimestamp(now), toTimestamp(leasedUntil), limit])).map(debitOf)
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
