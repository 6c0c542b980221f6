// Paying a checkout by phone: the number is typed here, the customer approves it in the app, or a mandate does.
import { type Clock, second } from '../../kernel/time.ts'
import type { MandateChoice, MobilePayments } from '../../mobile-payments/index.ts'
import { mbwayTexts } from '../../pages/index.ts'
import type { Database } from '../../storage/index.ts'
import { endsAt, wantedMandateOf } from '../../subscriptions/index.ts'
import type { PaidCheckout } from '../model.ts'
import { addCustomerData } from '../store.ts'
import { customerOf } from './customer-contact.ts'
import type { MethodState, PaymentMethod, PostedForm, Started, Visit } from './payment-method.ts'
import { noticeOf, type PhoneOutcome, readPhoneForm, spaced, unlessAskedTooOften } from './phone-form.ts'

export interface PhoneMethodDeps {
  readonly database: Database
  readonly clock: Clock
  readonly payments: MobilePayments
}

export function createPhoneMethod({ database, clock, payments }: PhoneMethodDeps): PaymentMethod {
  async function start(visit: Visit, form: PostedForm): Promise<Started> {
    const { checkout, wallet, ip } = visit
    const read = await readPhoneForm(payments, visit, form)
    if (read.kind !== 'read') return read
    const { pageToken, phone, filledIn } = read
    await addCustomerData(database, checkout, customerOf({ ...form, phone }), ip, clock.now())
    const { operation } = checkout
    const order = {
      walletId: checkout.walletId,
      operationId: operation.id,
      pageToken,
      merchantName: wallet.name,
      phone,
      amount: operation.amount,
      currency: operation.currency,
      type: operation.type,
    }
    return unlessAskedTooOften(visit.locale, filledIn, async () => {
      const started = await payments.payCheckout(order, mandateFor(checkout, phone))
      return started === undefined ? { kind: 'too_late' } : { kind: 'started' }
    })
  }

  async function state({ checkout, locale }: Visit): Promise<MethodState> {
    const { walletId, operation } = checkout
    const { attemptId } = operation
    const payment = attemptId === undefined ? undefined : await payments.find(walletId, attemptId)
    if (payment === undefined) return { kind: 'open' }
    if (operation.underApproval) {
      const now = clock.now()
      const secondsLeft = Math.ceil(((payment.expiresAt ?? now) - now) / second)
      if (payment.withdrawnAt !== undefined)
        return { kind: 'waiting', message: mbwayTexts[locale].withdrawing }
      const { phone } = payment.details
      const message = mbwayTexts[locale].waiting(spaced(phone))
      const withdrawable = true
      return { kind: 'waiting', message, phone, withdrawable, ...(secondsLeft > 0 ? { secondsLeft } : {}) }
    }
    return payment.failure === undefined
      ? { kind: 'open' }
      : { kind: 'open', notice: noticeOf(locale, outcomeOf[payment.failure] ?? 'failed') }
  }

  async function withdraw({ checkout }: Visit): Promise<void> {
    const { walletId, attemptId, underApproval } = checkout.operation
    if (underApproval && attemptId !== undefined) await payments.withdrawForCustomer(walletId, attemptId)
  }

  return { start, state, withdraw }
}

/**
 * A mandate replaces the PIN only for the phone that the merchant named: the customer of the page can type
 * anybody's number. A subscription accepted with the payment is charged under a mandate of its own, made by the same
 * approval.
 */
function mandateFor({ subscription, mandatePhone }: PaidCheckout, phone: string): MandateChoice {
  if (subscription === undefined) return { kind: phone === mandatePhone ? 'any' : 'none' }
  const { id: subscriptionId, endDate } = subscription
  return { kind: 'opened', subscriptionId, wanted: wantedMandateOf(subscription), latest: endsAt(endDate) }
}

/** By the network's word for it. */
const outcomeOf: Readonly<Record<string, PhoneOutcome>> = {
  refused: 'refused',
  expired: 'expired',
  withdrawn: 'withdrawn',
  insufficient_funds: 'insufficient',
}
