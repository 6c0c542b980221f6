// PayPal's objects, as far as the driver reads them, and rules over them.
import type { RailRequest, RailRequests } from '../../src/connections/index.ts'
import { type Cents, cents, decimalText, readDecimal } from '../../src/kernel/money.ts'
import { isUuid } from '../../src/kernel/random.ts'
import { instant } from '../../src/kernel/time.ts'
import type { OnlineWalletDecline, RefundAnswer, WalletAnswer, WalletOrder } from '../../src/rails/index.ts'
import type { Paypal } from './client.ts'

export interface PaypalDeps {
  readonly paypal: Paypal
  readonly requests: RailRequests
}

export interface Money {
  readonly currency_code: string
  readonly value: string
}

export interface Link {
  readonly href: string
  readonly rel: string
}

export interface Capture {
  readonly id: string
  readonly status: string
  readonly amount?: Money
  readonly custom_id?: string
}

export interface Authorization extends Capture {
  readonly expiration_time?: string
}

export interface Refund {
  readonly id: string
  readonly status: string
  readonly amount?: Money
  readonly custom_id?: string
  readonly status_details?: { readonly reason?: string }
}

export interface Order {
  readonly id: string
  readonly status: string
  readonly links?: readonly Link[]
  readonly purchase_units?: readonly {
    readonly payments?: {
      readonly captures?: readonly Capture[]
      readonly authorizations?: readonly Authorization[]
      readonly refunds?: readonly Refund[]
    }
  }[]
}

/** The driver's record of an order. */
export interface KeptOrder {
  readonly amount: string
  readonly currency: string
  /** Default: sale. */
  readonly intent?: 'sale' | 'hold' | 'capture' | undefined
  readonly approveUrl?: string | undefined
  /** The order also saves the customer's account for later charges. */
  readonly saves?: boolean | undefined
  /** PayPal's token of the saved account that pays this charge. */
  readonly account?: string | undefined
  /** The moment of the first request to pay from a saved account, in milliseconds. */
  readonly sentAt?: number | undefined
  /**
   * The reason of a decline. PayPal still shows the order as approved, so without this record the driver would
   * capture it again.
   */
  readonly decline?: OnlineWalletDecline | undefined
}

export const keptOf = (request: RailRequest): KeptOrder => request.answer as KeptOrder

/** After these refusals the customer must choose another card or account: a new attempt makes a new order. */
const instrument = /^(INSTRUMENT_DECLINED|REDIRECT_PAYER_FOR_ALTERNATE_FUNDING|PAYER_ACTION_REQUIRED)$/
const refused =
  /^(TRANSACTION_REFUSED|PAYER_CANNOT_PAY|PAYER_ACCOUNT_RESTRICTED|PAYER_ACCOUNT_LOCKED_OR_CLOSED|PAYEE_BLOCKED_TRANSACTION|TRANSACTION_LIMIT_EXCEEDED|MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED|COMPLIANCE_VIOLATION|NOT_ELIGIBLE_FOR_TOKEN_PROCESSING)$/

/** Whether PayPal's issue is final for this order. */
export function isDeclined(issue: string): boolean {
  return instrument.test(issue) || refused.test(issue)
}

/**
 * Two calls at once under one request id can fail at PayPal. So a process makes one call, and all callers get its
 * answer.
 */
export function createOnce<Answer>() {
  const running = new Map<string, Promise<Answer>>()
  return (key: string, ask: () => Promise<Answer>): Promise<Answer> => {
    const answer = running.get(key) ?? ask().finally(() => running.delete(key))
    running.set(key, answer)
    return answer
  }
}

/** PayPal's limit for the name on its page. */
const brandNameMax = 127

/**
 * Settings of PayPal's page. Both return addresses lead to the same page of the gateway, because the browser is no
 * proof of payment.
 */
export function pageOf({ merchant, language, returnUrl }: WalletOrder): object {
  return {
    brand_name: merchant.name.slice(0, brandNameMax),
    locale: language === 'pt' ? 'pt-PT' : 'en-GB',
    shipping_preference: 'NO_SHIPPING',
    ...{ return_url: returnUrl, cancel_url: returnUrl },
  }
}

/** Currencies without decimals at PayPal (documentation, "Currency codes"). */
const wholeCurrencies = /^(HUF|JPY|TWD)$/

/** The amount as text with the decimals that PayPal expects for the currency. */
export function moneyOf(amount: bigint, currency: string): Money {
  const text = decimalText(cents(amount))
  const isWhole = wholeCurrencies.test(currency)
  if (isWhole && !text.endsWith('.00')) throw new Error(`${currency} has no decimals at PayPal: ${text}`)
  return { currency_code: currency, value: isWhole ? text.slice(0, -'.00'.length) : text }
}

export function hundredthsOf(money: Money | undefined): Cents | undefined {
  const read = money === undefined ? undefined : readDecimal(money.value, 2)
  return typeof read === 'bigint' ? cents(read) : undefined
}

/** Our key in an object. Undefined if the object belongs to another system that uses the account. */
export function keyIn(customId: unknown): string | undefined {
  return typeof customId === 'string' && isUuid(customId) ? customId : undefined
}

export const setupPath = '/v3/vault/setup-tokens'

/** Takes the last capture, because the earlier ones of an order were declined. */
export function captureOf(order: Order): Capture | undefined {
  return order.purchase_units?.[0]?.payments?.captures?.at(-1)
}

/**
 * The meaning of an order or setup token. COMPLETED does not mean paid: only a capture does. If the driver has
 * recorded a decline, an approved order is not `agreed`.
 */
export function answerOfOrder(order: Order, kept: KeptOrder): WalletAnswer {
  const authorization = authorizationOf(order)
  if (authorization !== undefined) return answerOfAuthorization(authorization, kept)
  const capture = captureOf(order)
  if (capture !== undefined) return answerOfCapture(capture, kept)
  if (kept.decline !== undefined) return { kind: 'declined', reason: kept.decline }
  switch (order.status) {
    case 'APPROVED':
    // The account of this setup token is saved. A second request to save it answers the same account.
    case 'VAULTED':
      return { kind: 'agreed' }
    case 'CREATED':
    case 'SAVED':
    case 'PAYER_ACTION_REQUIRED': {
      const approveUrl = kept.approveUrl ?? approveUrlOf(order)
      return approveUrl === undefined
        ? { kind: 'unknown', why: 'PayPal shows no page for the customer' }
        : { kind: 'open', approveUrl }
    }
    case 'VOIDED':
      return { kind: 'declined', reason: 'expired' }
    default:
      return { kind: 'unknown', why: `PayPal says ${order.status} without a capture` }
  }
}

export function authorizationOf(order: Order): Authorization | undefined {
  return order.purchase_units?.[0]?.payments?.authorizations?.at(-1)
}

/** The payment counts as reserved even after its captures or the end of the hold. */
function answerOfAuthorization(held: Authorization, kept: KeptOrder): WalletAnswer {
  if (held.status === 'PENDING') return { kind: 'waiting' }
  if (held.status === 'DENIED') return { kind: 'declined', reason: kept.decline ?? 'refused' }
  const ends = Date.parse(held.expiration_time ?? '')
  if (!/^(CREATED|CAPTURED|PARTIALLY_CAPTURED|VOIDED)$/.test(held.status) || !isOver(held, kept))
    return { kind: 'unknown', why: `PayPal says ${held.status} of the authorization` }
  return { kind: 'paid', reference: held.id, ...(ends > 0 && { heldUntil: instant(ends) }) }
}

export function answerOfCapture(capture: Capture, kept: KeptOrder): WalletAnswer {
  switch (capture.status) {
    case 'COMPLETED':
    case 'PARTIALLY_REFUNDED':
    case 'REFUNDED':
      return isOver(capture, kept)
        ? { kind: 'paid', reference: capture.id }
        : { kind: 'unknown', why: 'the capture has another amount or currency than the order' }
    case 'PENDING':
      return { kind: 'waiting' }
    case 'DECLINED':
    case 'FAILED':
      return { kind: 'declined', reason: kept.decline ?? 'refused' }
    default:
      return { kind: 'unknown', why: `PayPal says ${capture.status} of the capture` }
  }
}

function isOver({ amount }: Capture, kept: KeptOrder): boolean {
  return amount?.currency_code === kept.currency && String(hundredthsOf(amount)) === kept.amount
}

/** PayPal calls the link `payer-action` if the order has a payment source, and `approve` if not. */
export function approveUrlOf({ links = [] }: Order): string | undefined {
  return links.find(({ rel }) => rel === 'payer-action' || rel === 'approve')?.href
}

export function answerOfRefund({ id, status }: Refund): RefundAnswer {
  switch (status) {
    case 'COMPLETED':
      return { kind: 'approved', reference: id }
    case 'PENDING':
      return { kind: 'waiting' }
    case 'FAILED':
    case 'CANCELLED':
      return { kind: 'declined', reason: 'not_possible' }
    default:
      return { kind: 'unknown', why: `PayPal says ${status} of the refund` }
  }
}
