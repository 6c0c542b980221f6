// What the hosted pages show of a checkout and its latest attempt: view models from records, pure.

import { type CardAttempt, isReadyToAsk, pageToVisit, stepOf, threeDsIdOf } from '../../cards/index.ts'
import type { Instant } from '../../kernel/time.ts'
import type { PageMethod } from '../../methods/list.ts'
import type { MethodState, Visit } from '../../methods/method.ts'
import type { PaymentItem } from '../../operations/index.ts'
import {
  type Assets,
  type AuthenticationFailure,
  type CardFormPage,
  type ChallengePage,
  type CheckoutFrame,
  type CheckoutPage,
  checkoutPath,
  type MerchantFrame,
  type Notice,
  type PageItem,
  type TermsShown,
  type ThreeDSMethodPage,
  type WaitingPage,
} from '../../pages/index.ts'
import type { PretendedMoney } from '../../rails/index.ts'
import { type DeclineReason, encodeMessage, encodeMethodData, type LinkedPage } from '../../rails/index.ts'
import type { ManageLinks, Subscription } from '../../subscriptions/index.ts'
import { endsHere } from '../links/rules.ts'
import type { Checkout } from '../model.ts'
import { offeredMethods, withCheckoutId } from '../rules.ts'
import { subjectOf } from '../subject-rules.ts'
import { brandOf } from './brand.ts'
import { asksDelivery, lacksDelivery } from './delivery.ts'
import { type KeptCard, shownCard } from './kept-card.ts'

/** What a request for a page knows in addition to the visit. */
export interface PageContext extends Visit<Checkout> {
  /** The card that this browser tried, if it did a moment ago. */
  readonly keptCard: KeptCard | undefined
  /** Whether the browser was redirected here because what it sent came too late. */
  readonly late: boolean
  /** The latest attempt, when it is one by card. */
  readonly attempt: CardAttempt | undefined
  /** Whether no other card can be tried. */
  readonly cardsTriedOut: boolean
  readonly state: PageState
  readonly assets: Assets
  readonly pretended: PretendedMoney | undefined
  readonly baseUrl: string
  readonly links: ManageLinks
  /** Whether this browser accepted the subscription, and has not been shown its link yet. */
  readonly mayManage: boolean
  readonly now: Instant
  /** The customer wants another method than the one they began with. */
  readonly leavesMethod?: boolean | undefined
}

/** What the customer can do; `over` when nothing is left to do. */
export type PageState = MethodState | { readonly kind: 'over' }

/** The state of a customer who pays by card or has not chosen yet: whether they can act or must wait for a rail. */
export function cardMethodState(checkout: Checkout, attempt: CardAttempt | undefined): MethodState {
  const isDeciding = subjectOf(checkout).underApproval || (attempt !== undefined && isBeingDecided(attempt))
  if (!isDeciding) return { kind: 'open', notice: noticeOf(attempt) }
  return { kind: 'waiting', leadsToBank: attempt !== undefined && pageToVisit(attempt) !== undefined }
}

/** The issuer was asked and has not answered, or the acquirer is about to be. */
export function isBeingDecided(attempt: CardAttempt): boolean {
  return attempt.state === 'ASKED' || stepOf(attempt) === 'ISSUER_ASKED' || isReadyToAsk(attempt)
}

/** The methods this checkout's page offers. */
export function offersOf({ checkout, wallet }: Visit<Checkout>): PageMethod[] {
  return offeredMethods(wallet, checkout)
}

/** The offered methods that the customer can still pay with. */
export function openOffersOf(context: PageContext): PageMethod[] {
  return offersOf(context).filter((method) => method !== 'CC' || !context.cardsTriedOut)
}

export function frameOf(context: PageContext): CheckoutFrame {
  const { checkout, wallet, locale, assets, pretended, late, baseUrl } = context
  const { amount, currency } = subjectOf(checkout)
  const urlConfirm = withCheckoutId(checkout.urlConfirm, checkout.id)
  return {
    locale,
    assets,
    pretended,
    checkoutId: checkout.id,
    kind: checkout.kind,
    merchantName: wallet.name,
    brand: brandOf(wallet),
    amount,
    currency,
    urlConfirm: endsHere(checkout, urlConfirm, baseUrl) ? undefined : urlConfirm,
    late,
    terms: checkout.subscription && termsOf(checkout.subscription),
  }
}

/** The page of a customer who waits for a rail. */
export function waitingPageOf(
  context: PageContext,
  { message, secondsLeft, phone, withdraw: label }: Extract<MethodState, { kind: 'waiting' }>,
): WaitingPage {
  const { checkout, locale } = context
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

/** What a posted form makes of the page. */
export interface PageChange extends Pick<CheckoutPage, 'errors' | 'filledIn'> {
  /** The method whose form it was, or that of where to deliver. */
  readonly chosen: PageMethod | 'delivery'
  readonly notice?: Notice | undefined
}

/** The page with the forms, empty but for what may be shown again. */
export function checkoutPageOf(
  context: PageContext,
  panels: CheckoutPage['panels'],
  attemptToken: string,
  change?: PageChange | undefined,
): CheckoutPage {
  const { checkout, state, now } = context
  const { requiredFields, defaultMethod } = checkout
  const subject = subjectOf(checkout)
  const methods = openOffersOf(context)
  const left = context.leavesMethod === true ? subject.method : undefined
  const wanted = [change?.chosen, subject.method, defaultMethod, ...methods].filter((code) => code !== left)
  const { address } = subject.client ?? {}
  const last = state.kind === 'open' ? state.notice : undefined
  const notice: Notice | undefined = context.cardsTriedOut
    ? { kind: 'too_many_cards' }
    : (last ?? (context.late ? { kind: 'late' } : undefined))
  const { keptCard } = context
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
    cardsAtAcquirer: context.wallet.cardsAtAcquirer,
    keptCard: keptCard === undefined || isUseless(notice) ? undefined : shownCard(keptCard),
    filledIn: {
      name: keptCard?.name,
      expiry: keptCard?.expiry,
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

/** Whether the bank said that another number is needed. */
function isUseless(notice: Notice | undefined): boolean {
  return (
    notice?.kind === 'declined' && (notice.reason === 'invalid_card' || notice.reason === 'lost_or_stolen')
  )
}

/** What the customer allows, as pages show it. */
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

const authenticationFailures: Readonly<Record<string, AuthenticationFailure>> = {
  authentication_failed: 'failed',
  authentication_cancelled: 'cancelled',
  authentication_rejected: 'rejected',
  issuer_unavailable: 'issuer_unavailable',
  not_enrolled: 'not_enrolled',
}

const declineReasons: Readonly<Record<DeclineReason, true>> = {
  do_not_honour: true,
  insufficient_funds: true,
  expired_card: true,
  lost_or_stolen: true,
  wrong_security_code: true,
  invalid_card: true,
  limit_exceeded: true,
  not_permitted: true,
  amount_too_small: true,
  amount_too_large: true,
  suspected_fraud: true,
  authentication_required: true,
}

function isDeclineReason(failure: string): failure is DeclineReason {
  return Object.hasOwn(declineReasons, failure)
}

/** What the latest attempt came to, if it ended without money. */
function noticeOf(attempt: CardAttempt | undefined): Notice | undefined {
  if (attempt === undefined) return undefined
  const { state, failure = '' } = attempt
  if (state === 'OPEN' || state === 'ASKED' || state === 'APPROVED' || state === 'ABANDONED') return undefined
  if (isDeclineReason(failure)) return { kind: 'declined', reason: failure }
  const reason = authenticationFailures[failure]
  return reason === undefined ? { kind: 'try_again' } : { kind: 'authentication_failed', reason }
}

/** The issuer's hidden frame (3DS method); only for an attempt that has a method URL. */
export function methodPageOf(
  frame: MerchantFrame,
  attempt: CardAttempt,
  addresses: { readonly baseUrl: string; readonly continueUrl: string },
): ThreeDSMethodPage {
  return {
    ...frame,
    methodUrl: attempt.details.methodUrl ?? '',
    threeDSMethodData: encodeMethodData({
      threeDSServerTransID: threeDsIdOf(attempt),
      threeDSMethodNotificationURL: `${addresses.baseUrl}/checkout/method-done`,
    }),
    continueUrl: addresses.continueUrl,
  }
}

const fullScreen = '05'

/** The redirect to the page of the issuer, or acquirer, that wants to see the customer; undefined where none does. */
export function challengePageOf(frame: MerchantFrame, attempt: CardAttempt): ChallengePage | undefined {
  const page = pageToVisit(attempt)
  if (page !== undefined) return 'cardForm' in page ? undefined : { ...frame, ...formOf(page) }
  const { acsUrl, version = '', acsTransactionId = '' } = attempt.details
  if (stepOf(attempt) !== 'CHALLENGED' || acsUrl === undefined) return undefined
  const creq = encodeMessage({
    messageType: 'CReq',
    messageVersion: version,
    threeDSServerTransID: threeDsIdOf(attempt),
    acsTransID: acsTransactionId,
    challengeWindowSize: fullScreen,
  })
  return { ...frame, address: acsUrl, method: 'post', fields: { creq } }
}

/** The acquirer's card form; undefined where the customer is not to go to one. */
export function cardFormPageOf(
  frame: MerchantFrame,
  attempt: CardAttempt,
  leavePath: string,
): CardFormPage | undefined {
  const page = pageToVisit(attempt)
  return page !== undefined && 'cardForm' in page ? { ...frame, ...page.cardForm, leavePath } : undefined
}

/** A form that leads to the page. One sent by GET replaces the query of its address, and so carries it in fields. */
function formOf({ url, fields }: LinkedPage): Pick<ChallengePage, 'address' | 'method' | 'fields'> {
  if (fields !== undefined) return { address: url, method: 'post', fields }
  const address = new URL(url)
  const query = Object.fromEntries(address.searchParams)
  address.search = ''
  return { address: address.href, method: 'get', fields: query }
}
