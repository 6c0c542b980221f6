// PayPal's webhooks have a signature. The driver only uses them as a reason to ask PayPal.
import type { WebhookReceiver } from '../../src/connections/index.ts'
import { cents } from '../../src/kernel/money.ts'
import type { Dispute } from '../../src/rails/index.ts'
import { certificatesIn, chainAt, isCertificateAddress, isSigned, transmissionOf } from './certificates.ts'
import { apiBaseOf, connectPaypal, PaypalRefusal } from './client.ts'
import {
  type Capture,
  hundredthsOf,
  keyIn,
  type Link,
  type Money,
  type PaypalDeps,
  type Refund,
} from './model.ts'

/** The events that the driver subscribes to. */
export const eventTypes: readonly string[] = [
  ...['CHECKOUT.ORDER.APPROVED', 'CHECKOUT.PAYMENT-APPROVAL.REVERSED'],
  ...['COMPLETED', 'PENDING', 'DECLINED', 'DENIED', 'REFUNDED', 'REVERSED'].map(
    (is) => `PAYMENT.CAPTURE.${is}`,
  ),
  ...['PAYMENT.REFUND.PENDING', 'PAYMENT.REFUND.FAILED'],
  ...['PAYMENT.AUTHORIZATION.CREATED', 'PAYMENT.AUTHORIZATION.VOIDED'],
  ...['CREATED', 'UPDATED', 'RESOLVED'].map((is) => `CUSTOMER.DISPUTE.${is}`),
  'VAULT.PAYMENT-TOKEN.DELETED',
]

interface StoredEvent {
  readonly type: string
  /** PayPal's id of the event's object, our key in it, and the capture of a refund. */
  readonly about?: string | undefined
  readonly key?: string | undefined
  readonly capture?: string | undefined
}

interface Event {
  readonly id?: string
  readonly event_type?: unknown
  readonly resource?: {
    readonly id?: unknown
    readonly dispute_id?: unknown
    readonly custom_id?: unknown
    readonly purchase_units?: readonly { readonly custom_id?: unknown }[]
    readonly links?: readonly Link[]
    readonly supplementary_data?: { readonly related_ids?: { readonly capture_id?: unknown } }
  }
}

export const webhook: WebhookReceiver = {
  async verify(connection, received, tools) {
    const { webhook_id: webhookId } = connection.settings
    const sent = webhookId === undefined ? undefined : transmissionOf(received, webhookId)
    if (sent === undefined) return { kind: 'refused' }
    if (!isCertificateAddress(sent.certificateUrl, apiBaseOf(connection))) return { kind: 'refused' }
    const extra = certificatesIn(connection.settings.webhook_certificates ?? '')
    // A self-signed certificate in the setting is a trusted root.
    const roots = extra.filter((one) => one.checkIssued(one))
    const chain = [...(await chainAt(connection, sent.certificateUrl, tools)), ...extra]
    if (!isSigned(sent, chain, tools.clock.now(), roots)) return { kind: 'refused' }
    const {
      id,
      event_type: type,
      resource,
    } = JSON.parse(Buffer.from(received.rawBody).toString('utf8')) as Event
    const stored: StoredEvent = {
      type: typeof type === 'string' ? type : '',
      about: wordOf(resource?.id) ?? wordOf(resource?.dispute_id),
      key: keyIn(resource?.custom_id) ?? keyIn(resource?.purchase_units?.[0]?.custom_id),
      capture: wordOf(resource?.supplementary_data?.related_ids?.capture_id) ?? captureIn(resource?.links),
    }
    return { kind: 'accepted', id, payload: JSON.stringify(stored) }
  },

  async handle(connection, { payload }, tools) {
    const event = JSON.parse(payload) as StoredEvent
    const { requests, notices, logger } = tools
    const deps = { paypal: connectPaypal(connection, tools), requests }
    if (event.type.startsWith('CUSTOMER.DISPUTE.')) {
      const dispute = event.about === undefined ? undefined : await disputeAt(deps, event.about)
      if (dispute !== undefined) return notices.dispute(dispute)
    }
    const own = event.about === undefined ? undefined : await requests.findByProviderId(event.about)
    const key = own?.key ?? event.key ?? (event.capture && (await keyOfCapture(deps, event.capture)))
    const request = own ?? (key === undefined ? undefined : await requests.find(key))
    // Other systems can use the same PayPal account.
    if (request === undefined)
      return logger.info({ type: event.type }, 'A PayPal event belongs to no payment of this gateway')
    if (event.type === 'PAYMENT.REFUND.FAILED' && event.about !== undefined) {
      const refund = await deps.paypal.call<Refund>('GET', `/v2/payments/refunds/${event.about}`)
      const reason = refund.status_details?.reason?.toLowerCase() ?? 'unknown'
      if (refund.status === 'FAILED') return notices.refundFailed({ key: request.key, reason })
    }
    await notices.onlineWallet(request.key)
  },
}

function wordOf(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\w-]{1,64}$/.test(value) ? value : undefined
}

/** PayPal names the capture of a refund in the link `up`. */
function captureIn(links: readonly Link[] = []): string | undefined {
  const up = links.find(({ rel }) => rel === 'up')?.href
  return wordOf(/\/captures\/([\w-]+)$/.exec(up ?? '')?.[1])
}

async function keyOfCapture({ paypal }: PaypalDeps, capture: string): Promise<string | undefined> {
  try {
    const { custom_id } = await paypal.call<Capture>('GET', `/v2/payments/captures/${capture}`)
    return keyIn(custom_id)
  } catch (error) {
    if (error instanceof PaypalRefusal && error.status === 404) return undefined
    throw error
  }
}

interface DisputeAtPaypal {
  readonly reason?: string
  readonly disputed_transactions?: readonly { readonly seller_transaction_id?: string }[]
  readonly money_movements?: readonly Partial<{ affected_party: string; type: string; amount: Money }>[]
}

/** The sums of a dispute so far. Undefined if it is about no capture of ours. */
async function disputeAt(deps: PaypalDeps, id: string): Promise<Dispute | undefined> {
  const dispute = await deps.paypal.call<DisputeAtPaypal>('GET', `/v1/customer/disputes/${id}`)
  const { disputed_transactions: [transaction] = [], money_movements: movements = [], reason = '' } = dispute
  const capture = wordOf(transaction?.seller_transaction_id)
  const own = capture && (await deps.requests.findByProviderId(capture))
  const key = own ? own.key : capture && (await keyOfCapture(deps, capture))
  if (key === undefined || (await deps.requests.find(key)) === undefined) return undefined
  const moved = (type: string) =>
    movements
      .filter((one) => one.affected_party === 'SELLER' && one.type === type)
      .reduce((sum, { amount }) => sum + (hundredthsOf(amount) ?? 0n), 0n)
  const [withdrawn, credited] = [moved('DEBIT'), moved('CREDIT')]
  const isMore = credited > withdrawn
  const reinstated = cents(isMore ? withdrawn : credited)
  return { id, key, withdrawn: cents(withdrawn), reinstated, reason: reason.toLowerCase() || 'unknown' }
}
