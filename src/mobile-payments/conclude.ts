// What the network says about a payment becomes its outcome; only an explicit answer is final.
import { findMandate, giveBackAllowance, networkTimeoutMs } from '../mandates/index.ts'
import { endApproval, findOperation, type Operation } from '../operations/index.ts'
import {
  callRail,
  type NeverHeard,
  type UnclearAnswer,
  type WalletPaymentAnswer,
  type WalletPaymentRequest,
} from '../rails/index.ts'
import type { MobilePaymentsDeps } from './deps.ts'
import type { MobilePayment } from './model.ts'
import { nextInquiry } from './rules.ts'
import { finishMobilePayment, forgetMandate, postponePayment } from './store.ts'

/** Asks the network for the payment; repeated under its id it asks the customer once. */
export async function askNetwork(deps: MobilePaymentsDeps, payment: MobilePayment): Promise<void> {
  const { id, walletId, merchantName, phone, amount, currency, intent, expiresAt, mandateId } = payment
  const opens = await openedBy(deps, payment)
  const answer = await callRail(
    deps.mobileWallet.requestPayment({
      key: id,
      merchant: { id: walletId, name: merchantName },
      phone,
      amount,
      currency,
      intent,
      expires: expiresAt,
      mandate: mandateId,
      opens,
    }),
    networkTimeoutMs,
  )
  await conclude(deps, payment, answer)
}

/** The mandate that the same answer of the customer makes, as the network is asked for it. */
async function openedBy(
  deps: MobilePaymentsDeps,
  { walletId, opensMandateId: key }: MobilePayment,
): Promise<WalletPaymentRequest['opens']> {
  if (key === undefined) return undefined
  const wanted = (await findMandate(deps, walletId, key))?.wanted
  return wanted && { key, wanted }
}

/**
 * Asks the network to forget what the customer has not answered; who answered a moment before has paid. What the
 * network never heard of may still be on its way to it, so that nothing is decided yet.
 */
export async function withdraw(deps: MobilePaymentsDeps, payment: MobilePayment): Promise<void> {
  if (payment.state !== 'ASKED') return
  const answer = await callRail(deps.mobileWallet.withdrawPayment(payment.id), networkTimeoutMs)
  if (answer.kind !== 'not_found') return conclude(deps, payment, answer)
  const isOver = deps.clock.now() >= payment.expiresAt
  if (payment.withdrawnAt !== undefined)
    await (isOver ? conclude(deps, payment, answer) : later(deps, payment))
}

/** Asks the network what became of it. Safe at any time and by many at once: the operation settles once. */
export async function inquire(deps: MobilePaymentsDeps, payment: MobilePayment): Promise<void> {
  if (payment.state !== 'ASKED') return
  if (payment.withdrawnAt !== undefined) return withdraw(deps, payment)
  const answer = await callRail(deps.mobileWallet.inquirePayment(payment.id), networkTimeoutMs)
  if (answer.kind === 'not_found' && deps.clock.now() < payment.expiresAt) return askNetwork(deps, payment)
  await conclude(deps, payment, answer)
}

/** Settles what was decided; the operation first, so that a crash in between repeats both. */
async function conclude(
  deps: MobilePaymentsDeps,
  payment: MobilePayment,
  answer: WalletPaymentAnswer | UnclearAnswer | NeverHeard,
): Promise<void> {
  switch (answer.kind) {
    case 'approved':
      return approve(deps, payment, answer)
    case 'declined':
      return decline(deps, payment, answer.decline)
    case 'not_found':
      // A request that arrives after its time is put before nobody, so nothing can come of it any more.
      return decline(deps, payment, 'expired')
    case 'waiting':
      await goOnWithoutMandate(deps, payment)
      return later(deps, payment)
    case 'unclear':
      return later(deps, payment)
  }
}

async function approve(
  deps: MobilePaymentsDeps,
  payment: MobilePayment,
  { reference, byMandate }: Extract<WalletPaymentAnswer, { kind: 'approved' }>,
): Promise<void> {
  const { walletId, opensMandateId } = payment
  const { withPayments } = deps.mandates
  if (opensMandateId !== undefined && !(await withPayments.approved(walletId, opensMandateId)))
    return later(deps, payment)
  const guard = { kind: 'attempt', attemptId: payment.id } as const
  await deps.settle(await operationOf(deps, payment), { status: 'COMPLETED', guard })
  if (opensMandateId !== undefined) await withPayments.settled(walletId, opensMandateId)
  if (!byMandate) await goOnWithoutMandate(deps, payment)
  await finishMobilePayment(deps.database, payment, { state: 'APPROVED', reference }, deps.clock.now())
}

async function decline(deps: MobilePaymentsDeps, payment: MobilePayment, reason: string): Promise<void> {
  const { database, clock, settle } = deps
  const { walletId, operationId, id, owner, opensMandateId } = payment
  const now = clock.now()
  if (opensMandateId !== undefined) await deps.mandates.withPayments.declined(walletId, opensMandateId)
  if (owner === 'checkout') await endApproval(database, { walletId, operationId, attemptId: id }, now)
  else {
    const guard = { kind: 'attempt', attemptId: id } as const
    await settle(await operationOf(deps, payment), { status: 'FAIL', guard, error: reason })
  }
  await database.transaction(async (tx) => {
    // The attempt before its allowance, as where the attempt goes on without one: neither waits for the other.
    await finishMobilePayment(tx, payment, { state: 'DECLINED', decline: reason }, now)
    await giveBackAllowance(tx, walletId, id)
  })
}

/** The network asks the customer all the same: then nothing is taken from the mandate. */
async function goOnWithoutMandate({ database }: MobilePaymentsDeps, payment: MobilePayment): Promise<void> {
  if (payment.mandateId === undefined) return
  await database.transaction(async (tx) => {
    if (await forgetMandate(tx, payment)) await giveBackAllowance(tx, payment.walletId, payment.id)
  })
}

function later({ database, clock }: MobilePaymentsDeps, payment: MobilePayment): Promise<void> {
  return postponePayment(database, payment, nextInquiry(payment, clock.now()))
}

async function operationOf(deps: MobilePaymentsDeps, payment: MobilePayment): Promise<Operation> {
  const operation = await findOperation(deps.database, payment.walletId, payment.operationId)
  if (operation === undefined) throw new Error(`payment ${payment.id} by phone has no operation`)
  return operation
}
