// Pure decisions about checkouts: what may be asked for, which methods are offered, where the customer goes.
import { type Cents, cents } from '../kernel/money.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import { after, day, hour, type Instant } from '../kernel/time.ts'
import type { Method } from '../operations/index.ts'
import type { Checkout, CheckoutMethodCode, PageMethod } from './model.ts'
import { checkoutMethodCodes, pageMethods } from './model.ts'

/** A payment or authorization is between 0.01 and 99 999.99 EUR (CONTRACT section 2). */
const amountMin: Cents = cents(1)
const amountMax: Cents = cents(9_999_999)
const lifetimeDefaultHours = 24
/** A checkout is a page that somebody is about to open, not a bill for next year. */
const lifetimeDaysMax = 365
const urlLengthMax = 2048

/** Refuses amounts outside the range, naming `field`. */
export function amountWithinRange(amount: Cents, field: string): Result<Cents> {
  if (amount < amountMin) return refuse('below_minimum_amount', `${field} must be at least 0.01`)
  if (amount > amountMax) return refuse('above_maximum_amount', `${field} must be at most 99999.99`)
  return ok(amount)
}

/** An absolute http(s) URL; in production https only. Kept as it was written. */
export function returnUrl(text: string, field: string, mode: 'sandbox' | 'production'): Result<string> {
  const schemes = mode === 'production' ? ['https:'] : ['https:', 'http:']
  const wanted = `${field} must be an absolute ${schemes.map((scheme) => scheme.slice(0, -1)).join(' or ')} URL`
  if (text.length > urlLengthMax)
    return refuse('invalid_parameter', `${wanted} of at most ${urlLengthMax} characters`)
  const parsed = URL.parse(text)
  const written =
    parsed !== null && schemes.includes(parsed.protocol) && /^[\x21-\x7e\u00a1-\uffff]+$/.test(text)
  if (!written || parsed.username !== '' || !/^https?:\/\//i.test(text))
    return refuse('invalid_parameter', wanted)
  return ok(text)
}

/** `url` with the checkout's id as query parameter `checkoutid`, whatever query or fragment it has. */
export function withCheckoutId(url: string, checkoutId: string): string {
  const [beforeFragment = '', ...fragment] = url.split('#')
  const separator = beforeFragment.includes('?') ? (/[?&]$/.test(beforeFragment) ? '' : '&') : '?'
  const rest = fragment.length === 0 ? '' : `#${fragment.join('#')}`
  return `${beforeFragment}${separator}checkoutid=${checkoutId}${rest}`
}

/** Method codes as sent, in any case, each once. */
export function methodCodes(codes: readonly string[], field: string): Result<CheckoutMethodCode[]> {
  const read = new Set<CheckoutMethodCode>()
  for (const [index, code] of codes.entries()) {
    const known = checkoutMethodCodes.find((candidate) => candidate === code.toUpperCase())
    if (known === undefined) {
      return refuse(
        'invalid_parameter',
        `${field}[${index}] must be one of ${checkoutMethodCodes.join(', ')}`,
      )
    }
    read.add(known)
  }
  return ok([...read])
}

/** What the page offers: the wallet's methods that have a page here, without the excluded ones. */
export function offeredMethods(
  walletMethods: readonly Method[],
  exclude: readonly CheckoutMethodCode[],
): PageMethod[] {
  return pageMethods.filter((method) => walletMethods.includes(method) && !exclude.includes(method))
}

/** Until when a checkout can be paid: as asked, or a day from now. */
export function expiryOf(asked: Instant | undefined, field: string, now: Instant): Result<Instant> {
  if (asked === undefined) return ok(after(now, lifetimeDefaultHours * hour))
  if (asked <= now) return refuse('invalid_parameter', `${field} must be in the future`)
  if (asked > after(now, lifetimeDaysMax * day)) {
    return refuse('invalid_parameter', `${field} must be at most ${lifetimeDaysMax} days ahead`)
  }
  return ok(asked)
}

/** Whether a customer can still do something on the page. */
export function isPayable({ operation, expiresAt }: Checkout, now: Instant): boolean {
  return (operation.status === 'NEW' || operation.status === 'PENDING') && now < expiresAt
}
