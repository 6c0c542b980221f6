// A customer's attempt to pay by phone, with its mandates.
import { crashPoint } from '../../../kernel/crash-points.ts'
import { lisbonDayOf } from '../../../kernel/lisbon.ts'
import {
  type AttemptAnswer,
  type AttemptPurpose,
  type CustomerAttempt,
  type CustomerHandler,
  closedOperation,
  openOperation,
  removeDetail,
} from '../../../operations/for-methods.ts'
import {
  callRail,
  type MayStart,
  type NotReceived,
  railTimeoutMs,
  type UnknownAnswer,
  type WalletPaymentAnswer,
  type WalletPaymentRequest,
} from '../../../rails/index.ts'
import type { MbwayDeps } from '../deps.ts'
import { mbway } from '../facts.ts'
import { countAgain, releaseAllowance } from '../mandates/allowances-store.ts'
import { findMandate } from '../mandates/changes/move.ts'
import { createMandatesWithPayments } from '../mandates/changes/with-payments.ts'

export interface PhoneDetails {
  readonly phone: string
  readonly mandateId?: string | undefined
  readonly opensMandateId?: string | undefined
}

/**
 * A declined attempt leaves a checkout open, but fails a direct payment. The network knows the attempt by its
 * key. The customer can approve until `expiresAt`.
 */
export type MobilePayment = CustomerAttempt<PhoneDetails>

/** The network asks the customer once, even if the payment is sent several times. */
export function phoneAttemptHandler(deps: MbwayDeps): CustomerHandler<PhoneDetails> {
  const { database, clock, mobileWallet: network } = deps

  async function answerOf(
    payment: MobilePayment,
    answer: WalletPaymentAnswer | UnknownAnswer | NotReceived,
  ): Promise<AttemptAnswer> {
    switch (answer.kind) {
      case 'approved':
        if (!answer.byMandate) await continueWithoutMandate(payment)
        return { kind: 'approved', reference: answer.reference, heldUntil: answer.heldUntil }
      case 'declined':
        return {
          kind: answer.decline === 'withdrawn' || answer.mayArrive ? 'cancelled' : 'declined',
          reason: answer.decline,
        }
      case 'waiting':
        await continueWithoutMandate(payment)
        return answer
      case 'unknown':
      case 'not_found':
        return answer
    }
  }

  /** Releases the allowance, because the network asked the customer and did not use the mandate. */
  async function continueWithoutMandate(payment: MobilePayment): Promise<void> {
    const { walletId, key, details } = payment
    if (details.mandateId === undefined) return
    await database.transaction(async (tx) => {
      if (await removeDetail<PhoneDetails>(tx, payment, 'mandateId'))
        await releaseAllowance(tx, walletId, key)
    })
  }

  async function countedNow({ walletId, key: id, amount, details }: MobilePayment): Promise<void> {
    const { mandateId } = details
    if (mandateId === undefined) return
    const reservation = { walletId, mandateId, id, amount }
    await database.transaction((tx) => countAgain(tx, reservation, lisbonDayOf(clock.now())))
  }

  async function openedBy({ walletId, details }: MobilePayment): Promise<WalletPaymentRequest['opens']> {
    const { opensMandateId: key } = details
    if (key === undefined) return undefined
    const wanted = (await findMandate(deps, walletId, key))?.wanted
    return wanted && { key, wanted }
  }

  async function requestOf(payment: MobilePayment): Promise<WalletPaymentRequest> {
    const { key, walletId, merchantName, amount, currency, type, expiresAt, details } = payment
    if (expiresAt === undefined) throw new Error(`payment ${key} by phone has no end`)
    return {
      key,
      merchant: { id: walletId, name: merchantName },
      phone: details.phone,
      amount,
      currency,
      intent: type === 'AUTH' ? 'hold' : 'sale',
      expires: expiresAt,
      mandate: details.mandateId,
      opens: await openedBy(payment),
    }
  }

  return {
    method: mbway.code,
    purposes: {
      checkout: withMandates(deps, openOperation(deps)),
      direct: withMandates(deps, closedOperation(deps)),
    },
    whenNotReceived: 'send again',
    notReceived: 'expired',
    async ask(payment, beforeSend: MayStart) {
      if (payment.tries > 0) await countedNow(payment)
      const request = await requestOf(payment)
      const ask = (signal: AbortSignal) => network.requestPayment(request, signal)
      return answerOf(payment, await callRail(ask, railTimeoutMs, beforeSend))
    },
    inquire: async (payment) => answerOf(payment, await callRail(() => network.inquirePayment(payment.key))),
    cancel: async (payment) =>
      answerOf(payment, await callRail((signal) => network.withdrawPayment(payment.key, signal))),
  }
}

/** Uses or releases the allowance with the payment. A mandate requested with it follows its outcome. */
function withMandates(
  deps: MbwayDeps,
  operation: AttemptPurpose<PhoneDetails>,
): AttemptPurpose<PhoneDetails> {
  const { database } = deps
  const withPayments = createMandatesWithPayments(deps)
  return {
    ...operation,
    async approved(payment, heldUntil) {
      const { walletId, key, details } = payment
      const { opensMandateId } = details
      if (opensMandateId !== undefined) {
        if (!(await withPayments.approved(walletId, opensMandateId))) return 'unknown'
        crashPoint('mandate approved, its payment not settled')
      }
      const outcome = await operation.approved(payment, heldUntil)
      if (outcome === 'paid' && opensMandateId !== undefined)
        await withPayments.settled(walletId, opensMandateId)
      if (outcome === 'late') {
        if (opensMandateId !== undefined) await withPayments.approvedTooLate(walletId, opensMandateId)
        await releaseAllowance(database, walletId, key)
      }
      return outcome
    },
    async declined(payment, reason) {
      const { walletId, key, details } = payment
      if (details.opensMandateId !== undefined) await withPayments.declined(walletId, details.opensMandateId)
      if (!(await operation.declined(payment, reason))) return false
      crashPoint('payment failed, its allowance still reserved')
      await releaseAllowance(database, walletId, key)
      return true
    },
  }
}
