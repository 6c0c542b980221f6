// Payment of a checkout by phone.
import { RefusalError } from '../../kernel/result.ts'
import { second } from '../../kernel/time.ts'
import { type CustomerEngine, findAttempt, markWithdrawn } from '../../operations/for-methods.ts'
import { endsAt } from '../../subscriptions/index.ts'
import { customerOf } from '../contact.ts'
import type { MethodPage, MethodState, PaidCheckout, PostedForm, Started, Visit } from '../method.ts'
import { lastDigits, mandatePanel, offeredMandate, vouchedPhone } from './customer-mandates.ts'
import type { MbwayDeps } from './deps.ts'
import { mbway } from './facts.ts'
import { mbwayTexts } from './i18n.ts'
import type { MobilePayment, PhoneDetails } from './payments/attempts.ts'
import { type MandateChoice, type StartMobilePayment, startMobilePayment } from './payments/start.ts'
import {
  mbwayPanel,
  noticeOf,
  type PhoneOutcome,
  readPhoneForm,
  spaced,
  unlessAskedTooOften,
} from './phone-form.ts'
import { wantedMandateOf } from './subscriptions/page.ts'

export function mbwayPage(deps: MbwayDeps, engine: CustomerEngine<PhoneDetails>): MethodPage {
  const { database, clock } = deps

  async function start(visit: Visit, form: PostedForm): Promise<Started> {
    if (form.mandate !== undefined) return startUnderMandate(visit, form)
    const read = await readPhoneForm(deps, visit, form)
    if (read.kind !== 'read') return read
    const { pageToken, phone, filledIn } = read
    await visit.keepCustomer(customerOf({ ...form, phone }))
    const mandate = await mandateFor(deps, visit.checkout, phone)
    return unlessAskedTooOften(visit.locale, filledIn, () => begin(visit, { pageToken, phone, mandate }))
  }

  async function startUnderMandate(visit: Visit, form: PostedForm): Promise<Started> {
    const { checkout, locale } = visit
    const { fullname, email } = form
    const filledIn = { fullname, email }
    const gone: Started = {
      kind: 'refused',
      notice: { kind: 'message', ...mbwayTexts[locale].mandateGone },
      filledIn,
    }
    const offer = await offeredMandate(deps, checkout)
    if (offer === undefined) return gone
    const { phone, mandateId } = offer
    const read = await readPhoneForm(deps, visit, { ...form, phone })
    if (read.kind === 'too_late') return read
    if (read.kind === 'wrong_fields' && read.problems.phone !== undefined) return gone
    if (read.kind !== 'read') return { ...read, filledIn }
    await visit.keepCustomer(customerOf(filledIn))
    const mandate: MandateChoice = { kind: 'named', mandateId }
    try {
      return await begin(visit, { pageToken: read.pageToken, phone, mandate })
    } catch (error) {
      if (error instanceof RefusalError && error.refusal.kind === 'period_total_reached') return gone
      throw error
    }
  }

  async function begin(
    { checkout, wallet }: Visit,
    asked: Pick<StartMobilePayment, 'pageToken' | 'phone' | 'mandate'>,
  ): Promise<Started> {
    const { operation } = checkout
    const order = {
      walletId: checkout.walletId,
      operationId: operation.id,
      owner: 'checkout',
      merchantName: wallet.name,
      amount: operation.amount,
      currency: operation.currency,
      type: operation.type,
    } as const
    const started = await startMobilePayment(deps, engine, { ...order, ...asked })
    return started === undefined ? { kind: 'too_late' } : { kind: 'started' }
  }

  async function state(visit: Visit): Promise<MethodState> {
    const { checkout, locale } = visit
    const { walletId, operation } = checkout
    const { attemptId } = operation
    const payment =
      attemptId === undefined
        ? undefined
        : await findAttempt<PhoneDetails>(database, mbway.code, walletId, attemptId)
    if (payment === undefined) return { kind: 'open' }
    if (operation.underApproval) return waitingFor(payment, visit)
    return payment.failure === undefined
      ? { kind: 'open' }
      : { kind: 'open', notice: noticeOf(locale, outcomeOf[payment.failure] ?? 'failed') }
  }

  function waitingFor(payment: MobilePayment, { checkout, locale }: Visit): MethodState {
    const now = clock.now()
    const secondsLeft = Math.ceil(((payment.expiresAt ?? now) - now) / second)
    if (payment.withdrawnAt !== undefined) return { kind: 'waiting', message: mbwayTexts[locale].withdrawing }
    const { phone, mandateId } = payment.details
    // The provider can ask under a mandate too. Nobody typed that number on the page.
    const isHidden = mandateId !== undefined && checkout.customerId !== undefined
    const isFinal = deps.mobileWallet.lacks?.(checkout.walletId).includes('withdrawal') === true
    return {
      kind: 'waiting',
      message: mbwayTexts[locale].waiting(isHidden ? `•••\u00a0${lastDigits(phone)}` : spaced(phone)),
      ...(isHidden ? {} : { phone }),
      ...(isFinal ? {} : { withdraw: mbwayTexts[locale].wrongNumber }),
      ...(secondsLeft > 0 ? { secondsLeft } : {}),
    }
  }

  async function withdraw({ checkout }: Visit): Promise<void> {
    const { walletId, attemptId, underApproval } = checkout.operation
    if (!underApproval || attemptId === undefined) return
    const now = clock.now()
    const payment = await markWithdrawn<PhoneDetails>(database, mbway.code, walletId, attemptId, now)
    if (payment !== undefined) await engine.withdraw(payment)
  }

  return {
    async panel({ checkout }, { form }) {
      const offer = await offeredMandate(deps, checkout)
      return offer === undefined ? mbwayPanel : mandatePanel(offer.phone, form?.mandate !== undefined)
    },
    start,
    state,
    withdraw,
  }
}

/**
 * A mandate replaces the PIN only for the phone that the merchant named, because anyone can type a number on
 * the page. A subscription that begins with the payment gets its own mandate by the same approval.
 */
async function mandateFor(deps: MbwayDeps, checkout: PaidCheckout, phone: string): Promise<MandateChoice> {
  const { subscription, mandatePhone } = checkout
  if (subscription === undefined) {
    const isNamed = phone === mandatePhone && phone === (await vouchedPhone(deps, checkout))
    return { kind: isNamed ? 'any' : 'none' }
  }
  const { id: subscriptionId, endDate } = subscription
  return { kind: 'opened', subscriptionId, wanted: wantedMandateOf(subscription), latest: endsAt(endDate) }
}

const outcomeOf: Readonly<Record<string, PhoneOutcome>> = {
  refused: 'refused',
  expired: 'expired',
  withdrawn: 'withdrawn',
  insufficient_funds: 'insufficient',
}
