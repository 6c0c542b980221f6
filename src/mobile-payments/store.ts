// The SQL of attempts to be paid by phone.
import type { Cents } from '../kernel/money.ts'
import { type Instant, toTimestamp } from '../kernel/time.ts'
import { claimDueSql, type Executor, statement } from '../storage/index.ts'
import type { MobilePayment, MobilePaymentState } from './model.ts'

interface MobilePaymentRow {
  id: string
  wallet_id: bigint
  operation_id: string
  owner: MobilePayment['owner']
  page_token: string
  state: MobilePaymentState
  merchant_name: string
  phone: string
  amount: bigint
  currency: string
  intent: MobilePayment['intent']
  mandate_id: string | null
  opens_mandate_id: string | null
  decline: string | null
  expires_at: Instant
  withdrawn_at: Instant | null
  inquiries: number
  created_at: Instant
}

function paymentOf(row: MobilePaymentRow): MobilePayment {
  return {
    id: row.id,
    walletId: row.wallet_id,
    operationId: row.operation_id,
    owner: row.owner,
    pageToken: row.page_token,
    state: row.state,
    merchantName: row.merchant_name,
    phone: row.phone,
    amount: row.amount as Cents,
    currency: row.currency,
    intent: row.intent,
    mandateId: row.mandate_id ?? undefined,
    opensMandateId: row.opens_mandate_id ?? undefined,
    decline: row.decline ?? undefined,
    expiresAt: row.expires_at,
    withdrawnAt: row.withdrawn_at ?? undefined,
    inquiries: row.inquiries,
    createdAt: row.created_at,
  }
}

const insertPayment = statement<{ id: string }>(`
  insert into mobile_payments (
    id, wallet_id, operation_id, owner, page_token, state, merchant_name, phone, amount, currency, intent,
    mandate_id, opens_mandate_id, expires_at, created_at, modified_at, due_at
  )
  values ($1, $2, $3, $4, $5, 'ASKED', $6, $7, $8, $9, $10, $11, $12, $13, $14, $14, $15)
  on conflict (wallet_id, operation_id, page_token) do nothing
  returning id`)

/** Writes an attempt; false when its form was posted before. */
export async function insertMobilePayment(
  db: Executor,
  payment: MobilePayment,
  dueAt: Instant,
): Promise<boolean> {
  const inserted = await db.run(insertPayment, [
    payment.id,
    payment.walletId,
    payment.operationId,
    payment.owner,
    payment.pageToken,
    payment.merchantName,
    payment.phone,
    payment.amount,
    payment.currency,
    payment.intent,
    payment.mandateId ?? null,
    payment.opensMandateId ?? null,
    toTimestamp(payment.expiresAt),
    toTimestamp(payment.createdAt),
    toTimestamp(dueAt),
  ])
  return inserted.length === 1
}

const selectPayment = statement<MobilePaymentRow>(
  'select * from mobile_payments where wallet_id = $1 and id = $2',
)

/** The wallet's attempt, if it has one with that id. */
export async function findMobilePayment(
  db: Executor,
  walletId: bigint,
  id: string,
): Promise<MobilePayment | undefined> {
  const [row] = await db.run(selectPayment, [walletId, id])
  return row === undefined ? undefined : paymentOf(row)
}

const selectPaymentOfKey = statement<MobilePaymentRow>('select * from mobile_payments where id = $1')

/** The attempt that the network calls `key`: it knows no wallets. */
export async function findPaymentOfKey(db: Executor, key: string): Promise<MobilePayment | undefined> {
  const [row] = await db.run(selectPaymentOfKey, [key])
  return row === undefined ? undefined : paymentOf(row)
}

export type MobilePaymentEnd =
  | { readonly state: 'APPROVED'; readonly reference: string }
  | { readonly state: 'DECLINED'; readonly decline: string }

const finishPayment = statement<{ id: string }>(`
  update mobile_payments set state = $3, reference = $4, decline = $5, modified_at = $6, due_at = null
  where wallet_id = $1 and id = $2 and state = 'ASKED'
  returning id`)

/** Ends an attempt, once; false when it had ended before. */
export async function finishMobilePayment(
  db: Executor,
  { walletId, id }: MobilePayment,
  end: MobilePaymentEnd,
  now: Instant,
): Promise<boolean> {
  const reference = end.state === 'APPROVED' ? end.reference : null
  const decline = end.state === 'DECLINED' ? end.decline : null
  const parameters = [walletId, id, end.state, reference, decline, toTimestamp(now)]
  return (await db.run(finishPayment, parameters)).length === 1
}

const dropMandate = statement<{ id: string }>(`
  update mobile_payments set mandate_id = null where wallet_id = $1 and id = $2 and mandate_id is not null
  returning id`)

/** The attempt goes on without its mandate; false when it had none. */
export async function forgetMandate(db: Executor, { walletId, id }: MobilePayment): Promise<boolean> {
  return (await db.run(dropMandate, [walletId, id])).length === 1
}

const markWithdrawn = statement<MobilePaymentRow>(`
  update mobile_payments set withdrawn_at = coalesce(withdrawn_at, $3)
  where wallet_id = $1 and id = $2 and state = 'ASKED'
  returning *`)

/** The customer takes the question back; undefined when it is over. */
export async function withdrawQuestion(
  db: Executor,
  walletId: bigint,
  id: string,
  now: Instant,
): Promise<MobilePayment | undefined> {
  const [row] = await db.run(markWithdrawn, [walletId, id, toTimestamp(now)])
  return row === undefined ? undefined : paymentOf(row)
}

const claimDue = statement<MobilePaymentRow>(`
  ${claimDueSql('mobile_payments', 'inquiries = inquiries + 1')}
  returning *`)

/** Attempts to ask about, leased until `leasedUntil`. */
export async function claimDuePayments(
  db: Executor,
  now: Instant,
  leasedUntil: Instant,
  limit: number,
): Promise<MobilePayment[]> {
  return (await db.run(claimDue, [toTimestamp(now), toTimestamp(leasedUntil), limit])).map(paymentOf)
}

const postpone = statement(`
  update mobile_payments set due_at = $3 where wallet_id = $1 and id = $2 and state = 'ASKED'`)

/** Asks again at `dueAt`. */
export async function postponePayment(
  db: Executor,
  { walletId, id }: MobilePayment,
  dueAt: Instant,
): Promise<void> {
  await db.run(postpone, [walletId, id, toTimestamp(dueAt)])
}

const renew = statement<{ id: string }>(`
  update mobile_payments set due_at = $3 where wallet_id = $1 and id = $2 and state = 'ASKED' and withdrawn_at is null
  returning id`)

/** Has the network asked about it at `dueAt`; false when the attempt is over, or taken back. */
export async function renewPayment(
  db: Executor,
  { walletId, id }: MobilePayment,
  dueAt: Instant,
): Promise<boolean> {
  return (await db.run(renew, [walletId, id, toTimestamp(dueAt)])).length === 1
}
