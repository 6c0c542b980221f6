// The SQL of attempts to be paid by phone.
import { type Instant, toTimestamp } from '../kernel/time.ts'
import { claimDueSql, type Executor, type StoredRowOf, statement } from '../storage/index.ts'
import { type MobilePayment, mobilePayments } from './model.ts'

type MobilePaymentRow = StoredRowOf<typeof mobilePayments>

const newPayments = mobilePayments.whole.omit('decline', 'withdrawnAt', 'inquiries', 'reference')

const insertPayment = statement<{ id: string }>(`
  insert into mobile_payments (${newPayments.list()}) values (${newPayments.placeholders()})
  on conflict (wallet_id, operation_id, page_token) do nothing
  returning id`)

/** Writes an attempt; false when its form was posted before. */
export async function insertMobilePayment(
  db: Executor,
  payment: MobilePayment,
  dueAt: Instant,
): Promise<boolean> {
  const row = newPayments.values({ ...payment, modifiedAt: payment.createdAt, dueAt })
  return (await db.run(insertPayment, row)).length === 1
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
  return mobilePayments.first(await db.run(selectPayment, [walletId, id]))
}

const selectPaymentOfKey = statement<MobilePaymentRow>('select * from mobile_payments where id = $1')

/** The attempt that the network calls `key`: it knows no wallets. */
export async function findPaymentOfKey(db: Executor, key: string): Promise<MobilePayment | undefined> {
  return mobilePayments.first(await db.run(selectPaymentOfKey, [key]))
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
  return mobilePayments.first(await db.run(markWithdrawn, [walletId, id, toTimestamp(now)]))
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
  return (await db.run(claimDue, [toTimestamp(now), toTimestamp(leasedUntil), limit])).map(
    mobilePayments.read,
  )
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
