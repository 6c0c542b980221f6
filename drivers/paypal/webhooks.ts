// PayPal's events: signed, and only a reason to inquire.
import type { X509Certificate } from 'node:crypto'
import type { Connection, DriverTools, WebhookReceiver } from '../../src/connections/index.ts'
import { type Cents, cents } from '../../src/kernel/money.ts'
import { day, type Instant } from '../../src/kernel/time.ts'
import type { Dispute } from '../../src/rails/index.ts'
import { certificatesIn, isCertificateAddress, isSigned, transmissionOf } from './certificates.ts'
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

/** The events that the driver wants; PayPal's names. */
export const eventTypes = [
  'CHECKOUT.ORDER.APPROVED',
  'CHECKOUT.PAYMENT-APPROVAL.REVERSED',
  'PAYMENT.CAPTURE.COMPLETED',
  'PAYMENT.CAPTURE.PENDING',
  'PAYMENT.CAPTURE.DECLINED',
  'PAYMENT.CAPTURE.DENIED',
  'PAYMENT.CAPTURE.REFUNDED',
  'PAYMENT.CAPTURE.REVERSED',
  'PAYMENT.REFUND.PENDING',
  'PAYMENT.REFUND.FAILED',
  'CUSTOMER.DISPUTE.CREATED',
  'CUSTOMER.DISPUTE.UPDATED',
  'CUSTOMER.DISPUTE.RESOLVED',
] as const

/** Certificates by address, for a day. */
const certificates = new Map<
  string,
  { readonly chain: readonly X509Certificate[]; readonly until: Instant }
>()
const certificateDays = 1
const certificatesMax = 20

interface StoredEvent {
  readonly type: string
  /** Id of the event's object at PayPal. */
  readonly about?: string | undefined
  readonly key?: string | undefined
  /** The capture of a refund. */
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
    const chain = [...(await chainAt(sent.certificateUrl, tools)), ...extraOf(connection)]
    const roots = rootsOf(connection)
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
    const key = event.key ?? (event.capture && (await keyOfCapture(deps, event.capture)))
    const request = key === undefined ? undefined : await requests.find(key)
    // The account can also serve other systems.
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

async function chainAt(
  url: string,
  { clock, fetch }: Pick<DriverTools, 'clock' | 'fetch'>,
): Promise<readonly X509Certificate[]> {
  const now = clock.now()
  const known = certificates.get(url)
  if (known !== undefined && now < known.until) return known.chain
  const response = await fetch(url)
  if (!response.ok) throw new Error(`PayPal’s certificate: HTTP ${response.status}`)
  const chain = certificatesIn(await response.text())
  if (certificates.size >= certificatesMax) certificates.clear()
  certificates.set(url, { chain, until: (now + certificateDays * day) as Instant })
  return chain
}

/** Certificates between the signer and a root, if PayPal's file lacks them. */
function extraOf({ settings }: Connection): readonly X509Certificate[] {
  return certificatesIn(settings.webhook_certificates ?? '')
}

/** A self-signed certificate among them is trusted: for a test. */
function rootsOf(connection: Connection): readonly X509Certificate[] | undefined {
  const own = extraOf(connection).filter((one) => one.checkIssued(one))
  return own.length === 0 ? undefined : own
}

function wordOf(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\w-]{1,64}$/.test(value) ? value : undefined
}

/** A refund names its capture in the link `up`. */
function captureIn(links: readonly Link[] = []): string | undefined {
  const up = links.find(({ rel }) => rel === 'up')?.href
  return wordOf(/\/captures\/([\w-]+)$/.exec(up ?? '')?.[1])
}

export async function keyOfCapture({ paypal }: PaypalDeps, capture: string): Promise<string | undefined> {
  try {
    const { custom_id } = await paypal.call<Capture>('GET', `/v2/payments/captures/${capture}`)
    return keyIn(custom_id)
  } catch (error) {
    if (error instanceof PaypalRefusal && error.status === 404) return undefined
    throw error
  }
}

interface DisputeAtPaypal {
  readonly dispute_id: string
  readonly reason?: string
  readonly disputed_transactions?: readonly {
    readonly seller_transaction_id?: string
    readonly custom?: string
  }[]
  readonly money_movements?: readonly {
    readonly affected_party?: string
    readonly type?: string
    readonly amount?: Money
  }[]
}

/** Its totals so far. Undefined if it is about no capture of ours. */
async function disputeAt(deps: PaypalDeps, id: string): Promise<Dispute | undefined> {
  const dispute = await deps.paypal.call<DisputeAtPaypal>('GET', `/v1/customer/disputes/${id}`)
  const [transaction] = dispute.disputed_transactions ?? []
  const capture = wordOf(transaction?.seller_transaction_id)
  const key = keyIn(transaction?.custom) ?? (capture && (await keyOfCapture(deps, capture)))
  if (key === undefined || (await deps.requests.find(key)) === undefined) return undefined
  const moved = (type: 'DEBIT' | 'CREDIT'): Cents =>
    cents(
      (dispute.money_movements ?? [])
        .filter((one) => one.affected_party === 'SELLER' && one.type === type)
        .reduce((sum, { amount }) => sum + (hundredthsOf(amount) ?? 0n), 0n),
    )
  const withdrawn = moved('DEBIT')
  const reinstated = moved('CREDIT')
  return {
    ...{ id, key, withdrawn, reason: (dispute.reason ?? 'unknown').toLowerCase() },
    reinstated: reinstated > withdrawn ? withdrawn : reinstated,
  }
}
