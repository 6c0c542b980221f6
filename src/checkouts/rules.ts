// Pure decisions about checkouts.
import { addLisbonMonths } from '../kernel/lisbon.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import { after, hour, type Instant } from '../kernel/time.ts'
import { holdingMethods, type PageMethod, pageMethods } from '../methods/list.ts'
import type { Operation, OperationStatus } from '../operations/index.ts'
import type { CheckoutKind } from '../pages/index.ts'
import {
  endsAt,
  type Subscription,
  type SubscriptionDraft,
  type SubscriptionStatus,
  subscriptionMethods,
} from '../subscriptions/index.ts'
import type { Wallet } from '../wallets/index.ts'
import { type Checkout, type CheckoutMethodCode, checkoutMethodCodes } from './model.ts'

const lifetimeDefaultHours = 24

/** Adds the query parameter `checkoutid`, keeping query and fragment. */
export function withCheckoutId(url: string, checkoutId: string): string {
  const [beforeFragment = '', ...fragment] = url.split('#')
  const separator = beforeFragment.includes('?') ? (/[?&]$/.test(beforeFragment) ? '' : '&') : '?'
  const rest = fragment.length === 0 ? '' : `#${fragment.join('#')}`
  return `${beforeFragment}${separator}checkoutid=${checkoutId}${rest}`
}

export function methodCode(code: string): CheckoutMethodCode | undefined {
  return checkoutMethodCodes.find((candidate) => candidate === code.toUpperCase())
}

/** Ignores unknown codes, because clients may exclude methods of other gateways. */
export function methodCodes(codes: readonly string[]): CheckoutMethodCode[] {
  return [...new Set(codes.flatMap((code) => methodCode(code) ?? []))]
}

/** The methods of each kind. Only cards and mobile wallets can reserve money. */
const methodsOfKind: Readonly<Record<CheckoutKind, readonly PageMethod[]>> = {
  payment: pageMethods,
  authorization: holdingMethods,
  subscription: subscriptionMethods,
}

export function offeredMethods(
  wallet: Pick<Wallet, 'methods' | 'subscriptionMethods' | 'notHeld'>,
  { kind, exclude, subscription }: Pick<Checkout, 'kind' | 'exclude'> & { readonly subscription?: unknown },
): PageMethod[] {
  // A checkout with a subscription needs a method that charges later without the customer.
  const recurring = subscription !== undefined || kind === 'subscription'
  const suiting = methodsOfKind[recurring ? 'subscription' : kind]
  const allowed = (method: PageMethod) =>
    recurring
      ? wallet.subscriptionMethods.includes(method)
      : kind !== 'authorization' || wallet.notHeld?.has(method) !== true
  return suiting.filter(
    (method) => wallet.methods.includes(method) && allowed(method) && !exclude.includes(method),
  )
}

/** Default: a day. An authorization must be accepted within a month, because its captures end then. */
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

/** A checkout ends with its subscription at the latest, because a later acceptance would allow no charge. */
export function openUntil(
  expiresAt: Instant,
  subscription: Pick<SubscriptionDraft, 'endDate'> | undefined,
): Instant {
  const end = endsAt(subscription?.endDate)
  return end === undefined || expiresAt < end ? expiresAt : end
}

const instantHoursMax = 24

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
 * Checks an instant checkout: it offers references, ends within a day (CONTRACT section 11), and starts
 * before its end (SPEC.md MB rule 2).
 */
export function instantFits(
  kind: CheckoutKind,
  { instant, expires, starts }: AskedInstant,
  offered: readonly PageMethod[],
  now: Instant,
): Result<void> {
  if (kind === 'authorization' && starts.at !== undefined) {
    return refuse('invalid_parameter', `${starts.field} must be left out: it is for bank references only`)
  }
  if (!instant) {
    return starts.at === undefined
      ? ok(undefined)
      : refuse('invalid_parameter', `${starts.field} needs instant: true`)
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

export function isPayable(checkout: Checkout, now: Instant): boolean {
  return isUndecided(checkout) && now < checkout.expiresAt
}

export function isOutOfTime(checkout: Checkout, now: Instant): boolean {
  return isUndecided(checkout) && now >= checkout.expiresAt
}

function isUndecided(checkout: Checkout): boolean {
  const { status } = subjectOf(checkout)
  return status === 'NEW' || status === 'PENDING'
}

/** Whether the customer must still type an address. The merchant's address is only a proposal. */
export function lacksDelivery(checkout: Checkout): boolean {
  return asksDelivery(checkout) && subjectOf(checkout).client?.address?.typed !== true
}

export function asksDelivery({ requiredFields }: Checkout): boolean {
  return requiredFields.shipping === true
}

export type Subject = Pick<
  Operation,
  | 'id'
  | 'status'
  | 'method'
  | 'attemptId'
  | 'underApproval'
  | 'amount'
  | 'currency'
  | 'client'
  | 'items'
  | 'card'
  | 'phone'
  | 'settledAt'
  | 'error'
>

export function subjectOf(checkout: Checkout): Subject {
  return checkout.operation ?? subjectOfSubscription(checkout.subscription)
}

function subjectOfSubscription(subscription: Subscription): Subject {
  const { status, method } = subscription
  if (status === 'NEW' && method !== undefined) return { ...subscription, status: 'PENDING' }
  const succeeded = status === 'VOIDED' && wasAccepted(subscription)
  return { ...subscription, status: succeeded ? 'COMPLETED' : decidedAs[status] }
}

function wasAccepted({ card, mandateId, consumerId }: Subscription): boolean {
  return card !== undefined || mandateId !== undefined || consumerId !== undefined
}

/** An accepted subscription counts as success, even if it ends later. */
const decidedAs: Record<SubscriptionStatus, OperationStatus> = {
  NEW: 'NEW',
  APPROVED: 'COMPLETED',
  EXPIRED: 'COMPLETED',
  CANCELED: 'COMPLETED',
  FAILED: 'FAIL',
  VOIDED: 'VOIDED',
}
