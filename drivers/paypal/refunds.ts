// Refunds at PayPal, found by our key in their custom id.
import type { RailRequest } from '../../src/connections/index.ts'
import type { RefundAnswer, RefundRequest, RefundsPayments } from '../../src/rails/index.ts'
import { type Paypal, PaypalRefusal } from './client.ts'
import {
  answerOfRefund,
  captureOf,
  createOnce,
  keptOf,
  moneyOf,
  type Order,
  type PaypalDeps,
  type Refund,
} from './model.ts'
import { findOrder } from './orders.ts'

type Reason = Extract<RefundAnswer, { kind: 'declined' }>['reason']

const tooMuch = /^(CAPTURE_FULLY_REFUNDED|REFUND_AMOUNT_EXCEEDED)$/
/** The money is not there yet, so the gateway asks again later. */
const later = /^(PENDING_CAPTURE|REFUND_FAILED_INSUFFICIENT_FUNDS)$/

export function createRefunds(deps: PaypalDeps): RefundsPayments {
  const { requests } = deps
  const once = createOnce<RefundAnswer>()
  return {
    refund: (asked, signal) => once(asked.key, () => refund(deps, asked, signal)),
    async inquireRefund(key) {
      const request = await requests.find(key)
      return request?.steps.refund === undefined ? { kind: 'not_found' } : refundAt(deps, request)
    },
  }
}

async function refund(
  deps: PaypalDeps,
  { key, of, amount, currency }: RefundRequest,
  signal: AbortSignal | undefined,
): Promise<RefundAnswer> {
  const { paypal, requests } = deps
  const payment = await requests.find(of)
  const known = await requests.find(key)
  if (known?.steps.refund !== undefined) {
    const before = await refundAt(deps, known, signal)
    if (before.kind !== 'not_found') return before
  }
  const capture = payment && (await captureIdOf(paypal, payment, signal))
  if (payment === undefined || capture === undefined || keptOf(payment).currency !== currency)
    return decline(deps, key, 'unknown_payment')
  await requests.record(key, 'follow', { ids: { of } })
  await requests.begin(key, 'refund')
  try {
    const made = await paypal.call<Refund>('POST', `/v2/payments/captures/${capture}/refund`, {
      body: { amount: moneyOf(amount, currency), custom_id: key },
      requestId: `${key}-refund`,
      signal,
    })
    await requests.record(key, 'refund', { providerId: made.id, status: made.status })
    return answerOfRefund(made)
  } catch (error) {
    if (!(error instanceof PaypalRefusal)) throw error
    const { status, issue } = error
    if (later.test(issue)) return { kind: 'unknown', why: `PayPal answered ${issue}` }
    if (tooMuch.test(issue)) return decline(deps, key, 'amount_exceeds_remaining')
    if (status !== 400 && status !== 422) throw error
    return decline(deps, key, 'not_possible')
  }
}

async function captureIdOf(
  paypal: Paypal,
  payment: RailRequest,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  if (payment.ids.capture !== undefined) return payment.ids.capture
  if (/hold|capture/.test(keptOf(payment).intent ?? '')) return undefined
  const order = payment.providerId === undefined ? undefined : await findOrder(paypal, payment, signal)
  return order && captureOf(order)?.id
}

async function decline({ requests }: PaypalDeps, key: string, reason: Reason): Promise<RefundAnswer> {
  await requests.record(key, 'refund', { status: 'declined', answer: { decline: reason } })
  return { kind: 'declined', reason }
}

/** Finds a refund by its id, or among the refunds of its order if the answer was lost. */
async function refundAt(
  { paypal, requests }: PaypalDeps,
  request: RailRequest,
  signal?: AbortSignal,
): Promise<RefundAnswer | { readonly kind: 'not_found' }> {
  const { key, providerId } = request
  const { decline: reason } = (request.answer ?? {}) as { decline?: Reason }
  if (reason !== undefined) return { kind: 'declined', reason }
  if (providerId !== undefined)
    return answerOfRefund(await paypal.call<Refund>('GET', `/v2/payments/refunds/${providerId}`, { signal }))
  const payment = await requests.find(request.ids.of ?? '')
  const order = payment && (await findOrder(paypal, payment, signal))
  const made = order && refundsOf(order).find((one) => one.custom_id === key)
  return made === undefined ? { kind: 'not_found' } : answerOfRefund(made)
}

function refundsOf(order: Order): readonly Refund[] {
  return order.purchase_units?.[0]?.payments?.refunds ?? []
}
