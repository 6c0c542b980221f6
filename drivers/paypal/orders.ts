// Orders at PayPal: create, wait for the customer's approval on PayPal's page, capture.
import type { RailRequest, RecordedAnswer } from '../../src/connections/index.ts'
import type { OnlineWallet, OnlineWalletDecline, WalletAnswer, WalletOrder } from '../../src/rails/index.ts'
import { type AccountDeps, answerOfSaved, payAgain, saveAndPay, setupBody } from './accounts.ts'
import { type Paypal, PaypalRefusal } from './client.ts'
import {
  answerOfOrder,
  approveUrlOf,
  authorizationOf,
  captureOf,
  createOnce,
  isDeclined,
  type KeptOrder,
  keptOf,
  moneyOf,
  type Order,
  type PaypalDeps,
  pageOf,
  setupPath,
} from './model.ts'

export function createOrders(deps: AccountDeps): Pick<OnlineWallet, 'open' | 'capture' | 'inquire'> {
  const { requests } = deps
  const once = createOnce<WalletAnswer>()
  return {
    open: (order, signal) => open(deps, order, signal),
    capture: (key, signal) => once(key, () => capture(deps, key, signal)),
    async inquire(key) {
      const request = await requests.find(key)
      if (request?.providerId !== undefined) return stateOf(deps, request)
      const { decline } = (request?.answer ?? {}) as Partial<KeptOrder>
      if (decline !== undefined) return { kind: 'declined', reason: decline }
      // Without a recorded id no customer has seen the page of the order. Only a charge of a saved account is sent again.
      return (request && payAgain(deps, request)) ?? { kind: 'not_found' }
    },
  }
}

async function open(
  deps: AccountDeps,
  order: WalletOrder,
  signal: AbortSignal | undefined,
): Promise<WalletAnswer> {
  const { paypal, requests } = deps
  const { key, amount, currency, saves } = order
  const { request } = await requests.begin(key, 'create')
  if (request.providerId !== undefined) return stateOf(deps, request, signal)
  const kept: KeptOrder = { amount: String(amount), currency, intent: order.intent, saves }
  try {
    const path = saves === true ? setupPath : '/v2/checkout/orders'
    const made = await paypal.call<Order>('POST', path, {
      body: saves === true ? setupBody(order) : orderBody(order),
      requestId: `${key}-create`,
      signal,
    })
    const known = { ...kept, approveUrl: approveUrlOf(made) }
    await requests.record(key, 'create', { providerId: made.id, status: made.status, answer: known })
    return answerOfOrder(made, known)
  } catch (error) {
    if (!(error instanceof PaypalRefusal) || !error.isFinal) throw error
    await requests.record(key, 'create', { status: 'declined', answer: { ...kept, decline: 'refused' } })
    return { kind: 'declined', reason: 'refused' }
  }
}

function orderBody(order: WalletOrder): object {
  const { key, amount, currency } = order
  return {
    intent: order.intent === 'hold' ? 'AUTHORIZE' : 'CAPTURE',
    // The order has no invoice_id, because many accounts refuse a second order with the same one.
    purchase_units: [{ custom_id: key, amount: moneyOf(amount, currency) }],
    payment_source: {
      paypal: {
        experience_context: {
          ...pageOf(order),
          ...{ user_action: 'PAY_NOW', payment_method_preference: 'IMMEDIATE_PAYMENT_REQUIRED' },
        },
      },
    },
  }
}

async function capture(
  deps: AccountDeps,
  key: string,
  signal: AbortSignal | undefined,
): Promise<WalletAnswer> {
  const { paypal, requests } = deps
  const request = await requests.find(key)
  if (request?.providerId === undefined) throw new Error(`there is no order ${key} at PayPal`)
  const before = await stateOf(deps, request, signal)
  if (before.kind === 'open') return { kind: 'declined', reason: 'not_agreed' }
  if (before.kind !== 'agreed') return before
  if (keptOf(request).saves === true) return saveAndPay(deps, request, signal)
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

/** Records the id of the capture, because a refund needs it after PayPal has forgotten the order. */
function idsOf(order: Order): Pick<RecordedAnswer, 'ids'> {
  const held = authorizationOf(order)
  if (held !== undefined) return { ids: { authorization: held.id } }
  const capture = captureOf(order)
  return capture === undefined ? {} : { ids: { capture: capture.id } }
}

async function captureRefused(
  deps: AccountDeps,
  request: RailRequest,
  refusal: PaypalRefusal,
  signal: AbortSignal | undefined,
): Promise<WalletAnswer> {
  const { issue } = refusal
  if (issue === 'ORDER_NOT_APPROVED') return { kind: 'declined', reason: 'not_agreed' }
  // Another process may have captured the order, so its state decides.
  const order = await findOrder(deps.paypal, request, signal)
  const now = order === undefined ? expired : answerOfOrder(order, keptOf(request))
  if (now.kind !== 'agreed' && now.kind !== 'open') return now
  if (!isDeclined(issue)) throw refusal
  return decline(deps, request, 'refused')
}

const expired = { kind: 'declined', reason: 'expired' } as const

/**
 * Records the decline under our key. PayPal still shows the order as approved, and the driver would otherwise capture
 * it again.
 */
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
  const saved = answerOfSaved(request)
  if (saved !== undefined) return saved
  const order = await findOrder(paypal, request, signal)
  if (order === undefined) return expired
  const { ids } = idsOf(order)
  const { capture: known = request.ids.authorization } = request.ids
  if (ids !== undefined && known === undefined) await requests.record(request.key, 'capture', { ids })
  return answerOfOrder(order, keptOf(request))
}

/** Undefined if PayPal has forgotten the order because it expired. */
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

/**
 * The address of an order. For a capture of a hold it is the order of the hold. An order that saves an account
 * starts as a setup token.
 */
function pathOf({ providerId = '', ids, answer }: RailRequest): string {
  const { saves } = (answer ?? {}) as Partial<KeptOrder>
  if (saves === true && ids.order === undefined) return `${setupPath}/${encodeURIComponent(providerId)}`
  return `/v2/checkout/orders/${encodeURIComponent(ids.order ?? providerId)}`
}
