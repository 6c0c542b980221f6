// Paying a checkout by phone: the number is typed here, the customer approves it in the app, or a mandate does.
import { isUuid } from '../kernel/ids.ts'
import { parsePhone } from '../kernel/phones.ts'
import { type Clock, second } from '../kernel/time.ts'
import type { MandateChoice, MobilePayments } from '../mobile-payments/index.ts'
import type { Database } from '../storage/index.ts'
import { type Subscription, wantedMandateOf } from '../subscriptions/index.ts'
import { customerOf, customerProblems } from './customer-contact.ts'
import type { Checkout } from './model.ts'
import type { FieldProblem, Locale, Notice, PageField } from './pages/index.ts'
import { mbwayTexts } from './pages/mbway-texts.ts'
import { addCustomerData } from './store.ts'
import type { PostedForm, Standing, Started, Visit, WayToPay } from './ways.ts'

export interface PhoneWayDeps {
  readonly database: Database
  readonly clock: Clock
  readonly payments: MobilePayments
}

const intentOf = { payment: 'sale', authorization: 'hold' } as const

export function createPhoneWay({ database, clock, payments }: PhoneWayDeps): WayToPay {
  async function start(visit: Visit, form: PostedForm): Promise<Started> {
    const { checkout, wallet, locale, ip } = visit
    const pageToken = form.attempt
    if (pageToken === undefined || !isUuid(pageToken)) return { kind: 'too_late' }
    const filledIn = { phone: form.phone, fullname: form.fullname, email: form.email }
    const phone = phoneOf(form.phone)
    const problems = { ...otherProblems(visit, form), ...phone.problem }
    if (phone.number === undefined || Object.keys(problems).length > 0)
      return { kind: 'wrong_fields', problems, filledIn }
    const known = await payments.isRegistered(phone.number)
    if (known === undefined) return { kind: 'refused', notice: noticeOf(locale, 'failed'), filledIn }
    if (!known) return { kind: 'wrong_fields', problems: { phone: 'unregistered' }, filledIn }

    const { operation } = checkout
    const { fullname, email } = form
    const client = customerOf({ fullname, email, phone: phone.number })
    await addCustomerData(database, checkout, client, ip, clock.now())
    const order = {
      walletId: checkout.walletId,
      operationId: operation.id,
      pageToken: pageToken.toLowerCase(),
      merchantName: wallet.name,
      phone: phone.number,
      amount: operation.amount,
      currency: operation.currency,
      intent: intentOf[checkout.kind],
    }
    const started = await payments.payCheckout(order, mandateFor(checkout.subscription))
    return started === undefined ? { kind: 'too_late' } : { kind: 'started' }
  }

  async function standing({ checkout, locale }: Visit): Promise<Standing> {
    const { walletId, operation } = checkout
    const { attemptId } = operation
    const payment = attemptId === undefined ? undefined : await payments.find(walletId, attemptId)
    if (payment === undefined) return { kind: 'open' }
    if (operation.underApproval) {
      const secondsLeft = Math.ceil((payment.expiresAt - clock.now()) / second)
      const told = mbwayTexts[locale].waiting(spaced(payment.phone))
      return { kind: 'waiting', told, ...(secondsLeft > 0 ? { secondsLeft } : {}) }
    }
    return payment.decline === undefined
      ? { kind: 'open' }
      : { kind: 'open', notice: noticeOf(locale, wordsOf[payment.decline] ?? 'failed') }
  }

  return { start, standing }
}

/** A subscription accepted with the payment is charged under a mandate of its own, which the same approval makes. */
function mandateFor(subscription: Subscription | undefined): MandateChoice {
  return subscription === undefined
    ? { kind: 'any' }
    : { kind: 'opened', subscriptionId: subscription.id, wanted: wantedMandateOf(subscription) }
}

type Word = 'refused' | 'expired' | 'insufficient' | 'failed'

/** What became of an attempt, by the network's word for it. */
const wordsOf: Readonly<Record<string, Word>> = {
  refused: 'refused',
  expired: 'expired',
  insufficient_funds: 'insufficient',
}

/** What a method says in its own words. */
export function noticeOf(locale: Locale, word: Word): Notice {
  return { kind: 'told', ...mbwayTexts[locale][word] }
}

/** Nine digits are Portuguese; any other country's number is written with its code. */
export function phoneOf(typed: string | undefined): {
  readonly number?: string
  readonly problem?: { readonly phone: FieldProblem }
} {
  const text = (typed ?? '').trim()
  if (text === '') return { problem: { phone: 'missing' } }
  const digits = text.replace(/[\s().-]/g, '').replace(/^00/, '+')
  const international = digits.startsWith('+')
    ? digits
    : /^351\d{9}$/.test(digits)
      ? `+${digits}`
      : `+351${digits}`
  const parsed = parsePhone(international, 'phone')
  return parsed.ok ? { number: parsed.value } : { problem: { phone: 'invalid' } }
}

/** What is wrong with the other fields; the number that pays is looked at more closely. */
export function otherProblems(
  { checkout }: Visit<Checkout>,
  { fullname, email }: PostedForm,
): Partial<Record<PageField, FieldProblem>> {
  const { phone: _paying, ...problems } = customerProblems(checkout, { fullname, email })
  return problems
}

/** `+351 912 345 678`, which does not break across lines. */
export function spaced(phone: string): string {
  return phone.replace(/^(\+351)(\d{3})(\d{3})(\d{3})$/, '$1\u00a0$2\u00a0$3\u00a0$4')
}
