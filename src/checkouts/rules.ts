// Pure decisions about checkouts: what may be asked for, which methods are offered, where the customer goes.

import { addLisbonMonths } from '../kernel/lisbon.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import { after, hour, type Instant } from '../kernel/time.ts'
import { holdingMethods, type PageMethod, pageMethods } from '../methods/list.ts'
import type { CheckoutKind } from '../pages/index.ts'
import { endsAt, type SubscriptionDraft, subscriptionMethods } from '../subscriptions/index.ts'
import type { Wallet } from '../wallets/index.ts'
import type { Checkout, CheckoutMethodCode } from './model.ts'
import { checkoutMethodCodes } from './model.ts'
import { subjectOf } from './subject-rules.ts'

const lifetimeDefaultHours = 24

/** `url` with the checkout's id as query parameter `checkoutid`, whatever query or fragment it has. */
export function withCheckoutId(url: string, checkoutId: string): string {
  const [beforeFragment = '', ...fragment] = url.split('#')
  const separator = beforeFragment.includes('?') ? (/[?&]$/.test(beforeFragment) ? '' : '&') : '?'
  const rest = fragment.length === 0 ? '' : `#${fragment.join('#')}`
  return `${beforeFragment}${separator}checkoutid=${checkoutId}${rest}`
}

/** The code of a method in any case; undefined for one that is not known. */
export function methodCode(code: string): CheckoutMethodCode | undefined {
  return checkoutMethodCodes.find((candidate) => candidate === code.toUpperCase())
}

/** The known ones among `codes`, each once: clients exclude what only other gateways have. */
export function methodCodes(codes: readonly string[]): CheckoutMethodCode[] {
  return [...new Set(codes.flatMap((code) => methodCode(code) ?? []))]
}

/** What can be done with each method: money can be held for later captures on a card and by a mobile wallet. */
const methodsOfKind: Readonly<Record<CheckoutKind, readonly PageMethod[]>> = {
  payment: pageMethods,
  authorization: holdingMethods,
  subscription: subscriptionMethods,
}

/** What the page offers: the wallet's methods that have a page here and suit its kind, without the excluded ones. */
export function offeredMethods(
  wallet: Pick<Wallet, 'methods' | 'subscriptionMethods'>,
  { kind, exclude, subscription }: Pick<Checkout, 'kind' | 'exclude'> & { readonly subscription?: unknown },
): PageMethod[] {
  // What is accepted together with a payment is charged again without the customer.
  const recurring = subscription !== undefined || kind === 'subscription'
  const suiting = methodsOfKind[recurring ? 'subscription' : kind]
  const allowed = (method: PageMethod) => !recurring || wallet.subscriptionMethods.includes(method)
  return suiting.filter(
    (method) => wallet.methods.includes(method) && allowed(method) && !exclude.includes(method),
  )
}

/**
 * Until when a checkout can be paid or accepted: as asked, or a day from now. What is accepted can be captured
 * until a month after the authorization was made, so it is not accepted later than that, whatever was asked.
 */
export function expiryOf(
  asked: Instant | undefined,
  field: string,
  now: Instant,
  kind: CheckoutKind,
): Result<Instant> {
  if (asked === undefined) return ok(after(now, lifetimeDefaultHours * hour))
  if (asked <= now) return refuse('invalid_parameter', `${field} must be in the future`)
  if (kind !== 'authorization') return ok(asked)
  const lapses = addLisbonMonths(now, 1)
  return ok(asked < lapses ? asked : lapses)
}

/**
 * Until when a checkout that asks for a subscription is open: no longer than the subscription lasts. A customer who
 * accepted it after its last day, and perhaps paid with it, would have allowed nothing.
 */
export function openUntil(
  expiresAt: Instant,
  subscription: Pick<SubscriptionDraft, 'endDate'> | undefined,
): Instant {
  const end = endsAt(subscription?.endDate)
  return end === undefined || expiresAt < end ? expiresAt : end
}

const instantHoursMax = 24

/** A moment of a body, and the field that names it or would. */
export interface NamedMoment {
  readonly at: Instant | undefined
  readonly field: string
}

export interface AskedInstant {
  readonly instant: boolean
  readonly expires: NamedMoment
  readonly starts: NamedMoment
}

/**
 * Whether a checkout can be instant, if it asks for that: its page offers references, it names an end less than a
 * day ahead (CONTRACT section 11), and a start, if any, between now and that (SPEC.md MB rule 2). Nothing is
 * reserved by a bank reference, so an authorization needs none, and has no start: it is accepted until its end.
 */
export function instantFits(
  kind: CheckoutKind,
  { instant, expires, starts }: AskedInstant,
  offered: readonly PageMethod[],
  now: Instant,
): Result<void> {
  if (kind === 'authorization' && starts.at !== undefined) {
    return refuse('invalid_parameter', `${starts.field} must be left out: it belongs to bank references`)
  }
  if (!instant) {
    return starts.at === undefined
      ? ok(undefined)
      : refuse('invalid_parameter', `${starts.field} needs instant: true as well`)
  }
  if (kind === 'payment' && !offered.includes('MB')) {
    return refuse(
      'invalid_parameter',
      'payment.instant needs the method MB, which this checkout does not offer',
    )
  }
  if (expires.at === undefined)
    return refuse('missing_parameter', `${expires.field} is required with instant`)
  if (expires.at >= after(now, instantHoursMax * hour))
    return refuse('invalid_parameter', `${expires.field} must be less than a day ahead with instant`)
  if (starts.at === undefined) return ok(undefined)
  if (starts.at <= now)
    return refuse('invalid_parameter', `${starts.field} must be in the future, or left out for now`)
  return starts.at >= expires.at
    ? refuse('invalid_parameter', `${starts.field} must be earlier than ${expires.field}`)
    : ok(undefined)
}

/** Whether a customer can still do something on the page. */
export function isPayable(checkout: Checkout, now: Instant): boolean {
  return isUndecided(checkout) && now < checkout.expiresAt
}

/** Whether the checkout's lifetime is over although its timer has not run yet. */
export function isOutOfTime(checkout: Checkout, now: Instant): boolean {
  return isUndecided(checkout) && now >= checkout.expiresAt
}

function isUndecided(checkout: Checkout): boolean {
  const { status } = subjectOf(checkout)
  return status === 'NEW' || status === 'PENDING'
}

/** Whether the customer has yet to say where to deliver; what the merchant sent is only a proposal. */
export function lacksDelivery(checkout: Checkout): boolean {
  return asksDelivery(checkout) && subjectOf(checkout).client?.address?.typed !== true
}

/** Whether the customer is asked at all. */
export function asksDelivery({ requiredFields }: Checkout): boolean {
  return requiredFields.shipping === true
}
