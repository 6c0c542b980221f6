// Orders at PayPal: opened, agreed on PayPal's page, captured.
import type { RailRequest, RecordedAnswer } from '../../src/connections/index.ts'
import type { OnlineWallet, OnlineWalletDecline, WalletAnswer, WalletOrder } from '../../src/rails/index.ts'
import { type Paypal, PaypalRefusal } from './client.ts'
import {
  answerOfOrder,
  approveUrlOf,
  authorizationOf,
  captureOf,
  createOnce,
  type KeptOrder,
  keptOf,
  moneyOf,
  type Order,
  type PaypalDeps,
} from './model.ts'

/** PayPal's limit for the name on its page. */
const brandNameMax = 127

/** The customer would have to choose another instrument: a new attempt makes a new order. */
const instrument = /^(INSTRUMENT_DECLINED|REDIRECT_PAYER_FOR_ALTERNATE_FUNDING|PAYER_ACTION_REQUIRED)$/
const refused =
  /^(TRANSACTION_REFUSED|PAYER_CANNOT_PAY|PAYER_ACCOUNT_RESTRICTED|PAYER_ACCOUNT_LOCKED_OR_CLOSED|PAYEE_BLOCKED_TRANSACTION|TRANSACTION_LIMIT_EXCEEDED|MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED|COMPLIANCE_VIOLATION)$/

export function createOrders(deps: PaypalDeps): Pick<OnlineWallet, 'open' | 'capture' | 'inquire'> {
  const { requests } = deps
  const once = createOnce<WalletAnswer>()
  return {
    open: (order, signal) => open(deps, order, signal),
    capture: (key, signal) => once(key, () => capture(deps, key, signal)),
    async inquire(key) {
      const request = await requests.find(key)
      // Nobody can agree to an order whose page nobody has seen.
      return request?.providerId === undefined ? { kind: 'not_found' } : stateOf(deps, request)
    },
  }
}

async function open(
  deps: PaypalDeps,
  order: WalletOrder,
  signal: AbortSignal | undefined,
): Promise<WalletAnswer> {
  const { paypal, requests } = deps
  const { key, amount, currency } = order
  const { request } = await requests.begin(key, 'create')
  if (request.providerId !== undefined) return stateOf(deps, request, signal)
  const kept: KeptOrder = { amount: String(amount), currency, intent: order.intent }
  try {
    const made = await paypal.call<Order>('POST', '/v2/checkout/orders', {
      body: orderBody(order),
      requestId: `${key}-create`,
      signal,
    })
    const known = { ...kept, approveUrl: approveUrlOf(made) }
    await requests.record(key, 'create', { providerId: made.id, status: made.status, answer: known })
    return answerOfOrder(made, known)
  } catch (error) {
    if (!(error instanceof PaypalRefusal) || !isFinal(error)) throw error
    await requests.record(key, 'create', { status: 'declined', answer: { ...kept, decline: 'refused' } })
    return { kind: 'declined', reason: 'refused' }
  }
}

function orderBody(order: WalletOrder): object {
  const { key, merchant, amount, currency, returnUrl, language } = order
  return {
    intent: order.intent === 'hold' ? 'AUTHORIZE' : 'CAPTURE',
    // No invoice_id: many accounts forbid its repetition, also of a second attempt.
    purchase_units: [{ custom_id: key, amount: moneyOf(amount, currency) }],
    payment_source: {
      paypal: {
        experience_context: {
          brand_name: merchant.name.slice(0, brandNameMax),
          locale: language === 'pt' ? 'pt-PT' : 'en-GB',
          shipping_preference: 'NO_SHIPPING',
          user_action: 'PAY_NOW',
          payment_method_preference: 'IMMEDIATE_PAYMENT_REQUIRED',
          // The browser is not believed, so both lead to the same page.
          ...{ return_url: returnUrl, cancel_url: returnUrl },
        },
      },
    },
  }
}

async function capture(
  deps: PaypalDeps,
  key: string,
  signal: AbortSignal | undefined,
): Promise<WalletAnswer> {
  const { paypal, requests } = deps
  const request = await requests.find(key)
  if (request?.providerId === undefined) throw new Error(`there is no order ${key} at PayPal`)
  const before = await stateOf(deps, request, signal)
  if (before.kind === 'open') return { kind: 'declined', reason: 'not_agreed' }
  if (before.kind !== 'agreed') return before
  await requests.begin(key, 'capture')
  const verb = keptOf(request).intent === 'hold' ? 'authorize' : 'capture'
  try {
    const captured = await paypal.call<Order>('POST', `${pathOf(request)}/${verb}`, {
      body: {},
      requestId: `${key}-${verb}`,
      signal,
    })
    return await captureAnswered(deps, request, captured)
  } catch (error) {
    if (!(error instanceof PaypalRefusal)) throw error
    return captureRefused(deps, request, error, signal)
  }
}

async function captureAnswered(
  { requests }: PaypalDeps,
  request: RailRequest,
  order: Order,
): Promise<WalletAnswer> {
  const answer = answerOfOrder(order, keptOf(request))
  if (answer.kind === 'agreed') return { kind: 'unknown', why: 'PayPal does not report the capture' }
  await requests.record(request.key, 'capture', { status: answer.kind, ...idsOf(order) })
  return answer
}

/** PayPal forgets old orders, and a refund needs the capture. */
function idsOf(order: Order): Pick<RecordedAnswer, 'ids'> {
  const held = authorizationOf(order)
  if (held !== undefined) return { ids: { authorization: held.id } }
  const capture = captureOf(order)
  return capture === undefined ? {} : { ids: { capture: capture.id } }
}

async function captureRefused(
  deps: PaypalDeps,
  request: RailRequest,
  refusal: PaypalRefusal,
  signal: AbortSignal | undefined,
): Promise<WalletAnswer> {
  const { issue } = refusal
  if (issue === 'ORDER_NOT_APPROVED') return { kind: 'declined', reason: 'not_agreed' }
  const isDeclined = instrument.test(issue) || refused.test(issue)
  // It may be captured already, also by another process: the order's state counts.
  const order = await findOrder(deps.paypal, request, signal)
  const now = order === undefined ? expired : answerOfOrder(order, keptOf(request))
  if (now.kind !== 'agreed' && now.kind !== 'open') return now
  if (!isDeclined) throw refusal
  return decline(deps, request, 'refused')
}

const expired = { kind: 'declined', reason: 'expired' } as const

/** Kept by key, because the order stays approved at PayPal and would be captured again. */
async function decline(
  { requests }: PaypalDeps,
  request: RailRequest,
  reason: OnlineWalletDecline,
): Promise<WalletAnswer> {
  await requests.record(request.key, 'capture', {
    status: 'declined',
    answer: { ...keptOf(request), decline: reason },
  })
  return { kind: 'declined', reason }
}

async function stateOf(
  { paypal, requests }: PaypalDeps,
  request: RailRequest,
  signal?: AbortSignal,
): Promise<WalletAnswer> {
  const order = await findOrder(paypal, request, signal)
  if (order === undefined) return expired
  const { ids } = idsOf(order)
  const { capture: known = request.ids.authorization } = request.ids
  if (ids !== undefined && known === undefined) await requests.record(request.key, 'capture', { ids })
  return answerOfOrder(order, keptOf(request))
}

/** Undefined for an id that PayPal has forgotten: the order has expired. */
export async function findOrder(
  paypal: Paypal,
  request: RailRequest,
  signal?: AbortSignal,
): Promise<Order | undefined> {
  try {
    return await paypal.call<Order>('GET', pathOf(request), { signal })
  } catch (error) {
    if (error instanceof PaypalRefusal && error.status === 404) return undefined
    throw error
  }
}

/** A capture of a hold names the order of the hold. */
function pathOf({ providerId = '', ids }: RailRequest): string {
  return `/v2/checkout/orders/${encodeURIComponent(ids.order ?? providerId)}`
}

/** The same request would be refused again. Wrong keys and limits are for the operator, so they are not final. */
function isFinal({ status }: PaypalRefusal): boolean {
  return status === 400 || status === 422
}
