// Payment of a checkout by phone.
import { second } from '../../kernel/time.ts'
import { type CustomerEngine, findAttempt, markWithdrawn } from '../../operations/for-methods.ts'
import { endsAt } from '../../subscriptions/index.ts'
import { customerOf } from '../contact.ts'
import type { MethodPage, MethodState, PaidCheckout, PostedForm, Started, Visit } from '../method.ts'
import type { MbwayDeps } from './deps.ts'
import { mbway } from './facts.ts'
import { mbwayTexts } from './i18n.ts'
import type { PhoneDetails } from './payments/attempts.ts'
import { type MandateChoice, startMobilePayment } from './payments/start.ts'
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
    const { checkout, wallet } = visit
    const read = await readPhoneForm(deps, visit, form)
    if (read.kind !== 'read') return read
    const { pageToken, phone, filledIn } = read
    await visit.keepCustomer(customerOf({ ...form, phone }))
    const { operation } = checkout
    const order = {
      walletId: checkout.walletId,
      operationId: operation.id,
      owner: 'checkout',
      pageToken,
      merchantName: wallet.name,
      phone,
      amount: operation.amount,
      currency: operation.currency,
      type: operation.type,
      mandate: mandateFor(checkout, phone),
    } as const
    return unlessAskedTooOften(visit.locale, filledIn, async () => {
      const started = await startMobilePayment(deps, engine, order)
      return started === undefined ? { kind: 'too_late' } : { kind: 'started' }
    })
  }

  async function state({ checkout, locale }: Visit): Promise<MethodState> {
    const { walletId, operation } = checkout
    const { attemptId } = operation
    const payment =
      attemptId === undefined
        ? undefined
        : await findAttempt<PhoneDetails>(database, mbway.code, walletId, attemptId)
    if (payment === undefined) return { kind: 'open' }
    if (operation.underApproval) {
      const now = clock.now()
      const secondsLeft = Math.ceil(((payment.expiresAt ?? now) - now) / second)
      if (payment.withdrawnAt !== undefined)
        return { kind: 'waiting', message: mbwayTexts[locale].withdrawing }
      const { phone } = payment.details
      const message = mbwayTexts[locale].waiting(spaced(phone))
      const isFinal = deps.mobileWallet.lacks?.(walletId).includes('withdrawal') === true
      const withdraw = isFinal ? {} : { withdraw: mbwayTexts[locale].wrongNumber }
      return { kind: 'waiting', message, phone, ...withdraw, ...(secondsLeft > 0 ? { secondsLeft } : {}) }
    }
    return payment.failure === undefined
      ? { kind: 'open' }
      : { kind: 'open', notice: noticeOf(locale, outcomeOf[payment.failure] ?? 'failed') }
  }

  async function withdraw({ checkout }: Visit): Promise<void> {
    const { walletId, attemptId, underApproval } = checkout.operation
    if (!underApproval || attemptId === undefined) return
    const now = clock.now()
    const payment = await markWithdrawn<PhoneDetails>(database, mbway.code, walletId, attemptId, now)
    if (payment !== undefined) await engine.withdraw(payment)
  }

  return { panel: () => mbwayPanel, start, state, withdraw }
}

/**
 * A mandate replaces the PIN only for the phone that the merchant named, because anyone can type a number on
 * the page. A subscription that begins with the payment gets its own mandate by the same approval.
 */
function mandateFor({ subscription, mandatePhone }: PaidCheckout, phone: string): MandateChoice {
  if (subscription === undefined) return { kind: phone === mandatePhone ? 'any' : 'none' }
  const { id: subscriptionId, endDate } = subscription
  return { kind: 'opened', subscriptionId, wanted: wantedMandateOf(subscription), latest: endsAt(endDate) }
}

const outcomeOf: Readonly<Record<string, PhoneOutcome>> = {
  refused: 'refused',
  expired: 'expired',
  withdrawn: 'withdrawn',
  insufficient_funds: 'insufficient',
}
