// View models of the hosted pages: a checkout and its latest attempt, made from records, pure.

import type { Instant } from '../kernel/time.ts'
import type { PageMethod } from '../methods/list.ts'
import type { MethodState, PostedForm, Visit } from '../methods/method.ts'
import type { PaymentItem } from '../operations/index.ts'
import {
  type Assets,
  brandOf,
  type CheckoutFrame,
  type CheckoutPage,
  checkoutPath,
  type Notice,
  type PageItem,
  type TermsShown,
  type WaitingPage,
} from '../pages/index.ts'
import type { SimulatedMoney } from '../rails/index.ts'
import type { ManageLinks, Subscription } from '../subscriptions/index.ts'
import type { BackTo } from './deps.ts'
import type { Checkout } from './model.ts'
import { asksDelivery, lacksDelivery, offeredMethods, withCheckoutId } from './rules.ts'
import { subjectOf } from './subject-rules.ts'

/** The checkout and visit that a request for a page begins with. */
export interface PageContext {
  readonly visit: Visit<Checkout>
  readonly state: PageState
  /** Codes of methods that the customer has tried too often. */
  readonly exhausted: ReadonlySet<string>
  /** Whether the browser was redirected here because what it sent came too late. */
  readonly late: boolean
  /** Whether this browser accepted the subscription, and has not been shown its link yet. */
  readonly mayManage: boolean
  /** The customer wants another method than the one they began with. */
  readonly leavesMethod?: boolean | undefined
  readonly now: Instant
  readonly site: PageSite
}

/** The same for every page. */
export interface PageSite {
  readonly assets: Assets
  readonly simulated: SimulatedMoney | undefined
  readonly backTo: BackTo
  readonly links: ManageLinks
}

/** The customer's next step; `over` when nothing is left to do. */
export type PageState = MethodState | { readonly kind: 'over' }

/** The methods this checkout's page offers. */
export function offersOf({ visit }: PageContext): PageMethod[] {
  return offeredMethods(visit.wallet, visit.checkout)
}

/** The offered methods that the customer can still pay with. */
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
    amount,
    currency,
    urlConfirm: site.backTo(checkout, urlConfirm, locale) === undefined ? urlConfirm : undefined,
    late,
    terms: checkout.subscription && termsOf(checkout.subscription),
  }
}

/** The page of a customer who waits for a rail. */
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

/** The page after a form was posted. */
export interface PageChange extends Pick<CheckoutPage, 'errors' | 'filledIn'> {
  /** The method whose form it was, or that of where to deliver. */
  readonly chosen: PageMethod | 'delivery'
  /** That form, where its panel is to show it again. */
  readonly form?: PostedForm | undefined
  readonly notice?: Notice | undefined
}

/** The page with the forms, empty but for what may be shown again. */
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

/** The customer's permission, as pages show it. */
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
