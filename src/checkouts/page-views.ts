// View models of checkout pages, pure.
import type { Instant } from '../kernel/time.ts'
import { type PageMethod, pageMethods } from '../methods/list.ts'
import type { MethodState, PostedForm, Visit } from '../methods/method.ts'
import type { PaymentItem } from '../operations/index.ts'
import {
  type Assets,
  brandOf,
  type CheckoutFrame,
  type CheckoutPage,
  checkoutPath,
  type Notice,
  type Outcome,
  type PageItem,
  type Receipt,
  type ResultPage,
  type TermsShown,
  type WaitingPage,
} from '../pages/index.ts'
import type { SimulatedMoney } from '../rails/index.ts'
import type { ManageLinks, Subscription } from '../subscriptions/index.ts'
import type { BackTo } from './deps.ts'
import type { Checkout } from './model.ts'
import { asksDelivery, lacksDelivery, offeredMethods, subjectOf, withCheckoutId } from './rules.ts'

export interface PageContext {
  readonly visit: Visit<Checkout>
  readonly state: PageState
  readonly exhausted: ReadonlySet<string>
  readonly late: boolean
  /** True if this browser accepted the subscription and has not seen its link yet. */
  readonly mayManage: boolean
  readonly leavesMethod?: boolean | undefined
  readonly now: Instant
  readonly site: PageSite
}

export interface PageSite {
  readonly assets: Assets
  readonly simulated: SimulatedMoney | undefined
  readonly backTo: BackTo
  readonly links: ManageLinks
}

export type PageState = MethodState | { readonly kind: 'over' }

export function offersOf({ visit }: PageContext): PageMethod[] {
  return offeredMethods(visit.wallet, visit.checkout)
}

export function openOffersOf(context: PageContext): PageMethod[] {
  return offersOf(context).filter((method) => !context.exhausted.has(method))
}

export function frameOf(context: PageContext): CheckoutFrame {
  const { visit, late, site } = context
  const { checkout, wallet, locale } = visit
  const { assets, simulated } = site
  const { amount, currency } = subjectOf(checkout)
  const urlConfirm = withCheckoutId(checkout.urlConfirm, checkout.id)
  return {
    locale,
    assets,
    simulated,
    checkoutId: checkout.id,
    kind: checkout.kind,
    merchantName: wallet.name,
    brand: brandOf(wallet),
    embedOrigins: wallet.embedOrigins,
    amount,
    currency,
    urlConfirm: site.backTo(checkout, urlConfirm, locale) === undefined ? urlConfirm : undefined,
    late,
    terms: checkout.subscription && termsOf(checkout.subscription),
  }
}

export function waitingPageOf(
  context: PageContext,
  { message, secondsLeft, phone, withdraw: label }: Extract<MethodState, { kind: 'waiting' }>,
): WaitingPage {
  const { checkout, locale } = context.visit
  const events = checkoutPath(checkout.id, locale, 'events')
  const others = openOffersOf(context).length > 1
  const path = checkoutPath(checkout.id, locale, 'withdraw')
  const withdraw = label === undefined ? undefined : { path, label, others }
  return {
    ...frameOf(context),
    next: checkoutPath(checkout.id, locale),
    events,
    message,
    secondsLeft,
    phone,
    withdraw,
  }
}

export interface PageChange extends Pick<CheckoutPage, 'errors' | 'filledIn'> {
  readonly chosen: PageMethod | 'delivery'
  readonly form?: PostedForm | undefined
  readonly notice?: Notice | undefined
}

/** Forms are empty, except for values that are safe to show again. */
export function checkoutPageOf(
  context: PageContext,
  panels: CheckoutPage['panels'],
  attemptToken: string,
  change?: PageChange | undefined,
): CheckoutPage {
  const { visit, state, now } = context
  const { checkout } = visit
  const { requiredFields, defaultMethod } = checkout
  const subject = subjectOf(checkout)
  const methods = openOffersOf(context)
  const left = context.leavesMethod === true ? subject.method : undefined
  const wanted = [change?.chosen, subject.method, defaultMethod, ...methods].filter((code) => code !== left)
  const { address } = subject.client ?? {}
  const last = state.kind === 'open' ? state.notice : undefined
  const notice: Notice | undefined =
    context.exhausted.size > 0
      ? { kind: 'too_many_cards' }
      : (last ?? (context.late ? { kind: 'late' } : undefined))
  return {
    ...frameOf(context),
    items: (subject.items ?? []).map(pageItemOf),
    asksDelivery: lacksDelivery(checkout) || change?.chosen === 'delivery',
    delivery: asksDelivery(checkout) ? address : undefined,
    methods,
    panels,
    chosen: wanted.flatMap((code) => methods.filter((method) => method === code))[0] ?? methods[0],
    attemptToken,
    requiredFields: {
      name: requiredFields.name,
      email: requiredFields.email,
      phone: requiredFields.phone,
    },
    filledIn: {
      fullname: subject.client?.name,
      email: subject.client?.email,
      phone: subject.client?.phone,
      street: address?.address,
      postalcode: address?.postalcode,
      city: address?.city,
      country: address?.country?.toUpperCase(),
      ...change?.filledIn,
    },
    errors: change?.errors ?? {},
    notice: change === undefined ? notice : change.notice,
    expiresAt: checkout.expiresAt,
    now,
  }
}

export function termsOf({
  amount,
  currency,
  frequency,
  period,
  startDate,
  endDate,
  description,
}: Subscription): TermsShown {
  return { amount, currency, frequency, period, startDate, endDate, description }
}

function pageItemOf(item: PaymentItem): PageItem {
  return {
    name: item.name || item.descr || String(item.ref ?? ''),
    quantity: item.qt,
    amount: item.amount === undefined ? undefined : String(item.amount),
  }
}

export function resultPageOf(context: PageContext): ResultPage {
  const { visit, site, mayManage } = context
  const { checkout } = visit
  const { card, status } = subjectOf(checkout)
  const { subscription } = checkout
  const manage = mayManage && subscription !== undefined ? site.links.pathOf(subscription.id) : undefined
  const receipt = status === 'COMPLETED' ? receiptOf(checkout) : undefined
  const outcome = outcomeOf(checkout)
  return { ...frameOf(context), outcome, receipt, card, manage, backToLink: backToLinkOf(context, outcome) }
}

function backToLinkOf({ visit, site }: PageContext, outcome: Outcome): string | undefined {
  const { checkout, locale } = visit
  const url = 'urlConfirm' in outcome ? outcome.urlConfirm : outcome.urlCancel
  return site.backTo(checkout, url, locale)
}

function receiptOf(checkout: Checkout): Receipt {
  const { id, method, phone, settledAt } = subjectOf(checkout)
  return {
    method: pageMethods.find((known) => known === method),
    phone: phone === undefined ? undefined : maskedPhone(phone),
    at: settledAt,
    number: id,
  }
}

const phoneEndLength = 3

/** Hides the middle of the number, because anyone with the address can open the page. */
function maskedPhone(phone: string): string {
  return `${phone.slice(0, 4)} \u2022\u2022\u2022 ${phone.slice(-phoneEndLength)}`
}

export function unpayablePageOf(context: PageContext): ResultPage {
  const { checkout, wallet } = context.visit
  const { urlCancel, id } = checkout
  const kind = wallet.suspendedAt === undefined ? 'too_many_cards' : 'suspended'
  const outcome = { kind, urlCancel: withCheckoutId(urlCancel, id) } as const
  return { ...frameOf(context), outcome, card: undefined, backToLink: backToLinkOf(context, outcome) }
}

const succeededAs = { payment: 'paid', authorization: 'reserved', subscription: 'accepted' } as const

function outcomeOf(checkout: Checkout): Outcome {
  const { status, error } = subjectOf(checkout)
  const urlConfirm = withCheckoutId(checkout.urlConfirm, checkout.id)
  const urlCancel = withCheckoutId(checkout.urlCancel, checkout.id)
  if (status === 'COMPLETED') return { kind: succeededAs[checkout.kind], urlConfirm }
  if (status === 'VOIDED') return { kind: 'voided', urlCancel }
  if (status === 'FAIL')
    return {
      kind: error === 'cancelled' ? 'cancelled' : error === 'expired' ? 'expired' : 'failed',
      urlCancel,
    }
  return { kind: 'expired', urlCancel }
}
