// What the network says about a payment becomes its outcome; only an explicit answer is final.
import { crashPoint } from '../../kernel/crash-points.ts'
import type { Instant } from '../../kernel/time.ts'
import { findMandate, networkTimeoutMs, releaseAllowance } from '../../mandates/index.ts'
import {
  completeBy,
  endApproval,
  findOperation,
  hasPaid,
  type Operation,
  type RailRequest,
} from '../../operations/index.ts'
import {
  callRail,
  startInTime,
  type UnclearAnswer,
  type WalletPaymentAnswer,
  type WalletPaymentRequest,
} from '../../rails/index.ts'
import type { MobilePaymentsDeps } from '../deps.ts'
import type { MobilePayment } from '../model.ts'
import { nextInquiry } from '../rules.ts'
import { finishMobilePayment, forgetMandate, postponePayment, renewPayment } from '../store.ts'

/**
 * Asks the network for the payment; repeated under its id it asks the customer once.
 *
 * @param since when it was decided that the network is asked: who is held up for long looks first whether it still is
 */
export async function askNetwork(
  deps: MobilePaymentsDeps,
  payment: MobilePayment,
  since: Instant,
): Promise<void> {
  const { id, walletId, merchantName, phone, amount, currency, intent, expiresAt, mandateId } = payment
  crashPoint('attempt opened, rail not asked')
  const opens = await openedBy(deps, payment)
  const request = {
    key: id,
    merchant: { id: walletId, name: merchantName },
    phone,
    amount,
    currency,
    intent,
    expires: expiresAt,
    mandate: mandateId,
    opens,
  }
  const mayStart = startInTime(deps.clock, since, async (now) => {
    const dueAt = nextInquiry({ ...payment, inquiries: 0 }, now)
    return now < expiresAt && (await renewPayment(deps.database, payment, dueAt))
  })
  const ask = (signal: AbortSignal) => deps.mobileWallet.requestPayment(request, signal)
  await conclude(deps, payment, await callRail(ask, networkTimeoutMs, mayStart))
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
  const answer = await callRail(
    (signal) => deps.mobileWallet.withdrawPayment(payment.id, signal),
    networkTimeoutMs,
  )
  if (answer.kind !== 'not_found') return conclude(deps, payment, answer)
  const isOver = deps.clock.now() >= payment.expiresAt
  if (payment.withdrawnAt !== undefined) await (isOver ? giveUp(deps, payment) : later(deps, payment))
}

/** Asks the network what became of it. Safe at any time and by many at once: the operation settles once. */
export async function inquire(deps: MobilePaymentsDeps, payment: MobilePayment): Promise<void> {
  if (payment.state !== 'ASKED') return
  if (payment.withdrawnAt !== undefined) return withdraw(deps, payment)
  const since = deps.clock.now()
  const answer = await callRail(() => deps.mobileWallet.inquirePayment(payment.id), networkTimeoutMs)
  if (answer.kind !== 'not_found') return conclude(deps, payment, answer)
  return deps.clock.now() < payment.expiresAt ? askNetwork(deps, payment, since) : giveUp(deps, payment)
}

/**
 * Nobody sends it any more, and a request that arrives after its time is put before nobody. The network is told to
 * forget it all the same, and asked later whether it did: the clock of whoever was held up may be slow.
 */
async function giveUp(deps: MobilePaymentsDeps, payment: MobilePayment): Promise<void> {
  await deps.watch(askedBy(payment))
  const answer = await callRail(
    (signal) => deps.mobileWallet.withdrawPayment(payment.id, signal),
    networkTimeoutMs,
  )
  const isWithdrawn = answer.kind === 'declined' && answer.decline === 'withdrawn'
  if (answer.kind !== 'not_found' && !isWithdrawn) return conclude(deps, payment, answer)
  await decline(deps, payment, 'expired')
}

/** Settles what was decided; the operation first, so that a crash in between repeats both. */
async function conclude(
  deps: MobilePaymentsDeps,
  payment: MobilePayment,
  answer: WalletPaymentAnswer | UnclearAnswer,
): Promise<void> {
  crashPoint('rail answered, nothing written')
  switch (answer.kind) {
    case 'approved':
      return approve(deps, payment, answer)
    case 'declined':
      return decline(deps, payment, answer.decline)
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
  if (opensMandateId !== undefined) crashPoint('mandate approved, its payment not settled')
  const approved = { id: payment.id, method: 'MBWAY' } as const
  const isOurs = await completeBy(deps, await operationOf(deps, payment), approved)
  if (!isOurs) {
    if (opensMandateId !== undefined) await withPayments.approvedTooLate(walletId, opensMandateId)
    return end(deps, payment, 'too_late')
  }
  crashPoint('settled, its attempt still open')
  if (opensMandateId !== undefined) await withPayments.settled(walletId, opensMandateId)
  if (!byMandate) await goOnWithoutMandate(deps, payment)
  await finishMobilePayment(deps.database, payment, { state: 'APPROVED', reference }, deps.clock.now())
}

async function decline(deps: MobilePaymentsDeps, payment: MobilePayment, reason: string): Promise<void> {
  const { database, clock, settle } = deps
  const { walletId, operationId, id, owner, opensMandateId } = payment
  // The network may not keep that it was told to forget it: what arrives after all is found, and reversed.
  if (reason === 'withdrawn') await deps.watch(askedBy(payment))
  if (opensMandateId !== undefined) await deps.mandates.withPayments.declined(walletId, opensMandateId)
  const guard = { kind: 'attempt', attemptId: id } as const
  const hasEnded =
    owner === 'checkout'
      ? await endApproval(database, { walletId, operationId, attemptId: id }, clock.now())
      : (await settle(await operationOf(deps, payment), { status: 'FAIL', guard, error: reason })) !==
        undefined
  // Another process learnt of an approval first: the network says so to whoever asks it.
  if (!hasEnded && (await hasPaid(database, await operationOf(deps, payment), id)))
    return later(deps, payment)
  await end(deps, payment, reason)
}

function askedBy({ walletId, operationId, id: key, intent }: MobilePayment): RailRequest {
  return { walletId, operationId, key, type: intent === 'hold' ? 'AUTH' : 'PAYMENT', method: 'MBWAY' }
}

/** Ends an attempt by which nothing was paid, and gives its allowance back. */
async function end(
  { database, clock }: MobilePaymentsDeps,
  payment: MobilePayment,
  reason: string,
): Promise<void> {
  const now = clock.now()
  await database.transaction(async (tx) => {
    // The attempt before its allowance, as where the attempt goes on without one: neither waits for the other.
    await finishMobilePayment(tx, payment, { state: 'DECLINED', decline: reason }, now)
    await releaseAllowance(tx, payment.walletId, payment.id)
  })
}

/** The network asks the customer all the same: then nothing is taken from the mandate. */
async function goOnWithoutMandate({ database }: MobilePaymentsDeps, payment: MobilePayment): Promise<void> {
  if (payment.mandateId === undefined) return
  await database.transaction(async (tx) => {
    if (await forgetMandate(tx, payment)) await releaseAllowance(tx, payment.walletId, payment.id)
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
