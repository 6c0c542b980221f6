// Stripe's events have a signature. The driver only uses them as a reason to ask Stripe.
import type { WebhookReceiver } from '../../src/connections/index.ts'
import { cents } from '../../src/kernel/money.ts'
import type { Dispute } from '../../src/rails/index.ts'
import { connectStripe, stripeLibrary, unlessRefused } from './client.ts'
import { paymentsAt } from './elsewhere/references.ts'
import { isFollowUp } from './follow-ups.ts'
import { type IntentDeps, keyIn } from './intents.ts'

const toleranceSeconds = 300

interface StoredEvent {
  readonly type: string
  readonly about?: string | undefined
  readonly key?: string | undefined
}

export const webhook: WebhookReceiver = {
  verify({ secrets }, { headers, rawBody }, { clock }) {
    const signature = headers['stripe-signature'] ?? ''
    // A wrong signature makes the library throw, and the webhook is refused.
    const { signature: verifier } = stripeLibrary().webhooks
    verifier?.verifyHeader(
      rawBody,
      signature,
      secrets.webhook_secret ?? '',
      toleranceSeconds,
      undefined,
      Number(clock.now()),
    )
    const { id, type, data } = JSON.parse(Buffer.from(rawBody).toString('utf8')) as {
      id?: string
      type?: unknown
      data?: { object?: { id?: unknown; metadata?: unknown } }
    }
    const about = data?.object
    const stored: StoredEvent = {
      ...{ type: typeof type === 'string' ? type : '', key: keyIn(about?.metadata) },
      about: typeof about?.id === 'string' ? about.id : undefined,
    }
    return { kind: 'accepted', id, payload: JSON.stringify(stored) }
  },

  async handle(connection, { payload }, tools) {
    const { type = '', about = '', key } = JSON.parse(payload) as Partial<StoredEvent>
    const { requests, notices, logger } = tools
    const call = connectStripe(connection, tools)
    if (type.startsWith('charge.dispute.') && about !== '') {
      const dispute = await disputeAt({ call, requests }, about)
      if (dispute !== undefined) return notices.dispute(dispute)
    }
    const request = key === undefined ? undefined : await requests.find(key)
    // Other systems can use the same Stripe account.
    if (request === undefined)
      return logger.info({ type }, 'A Stripe event belongs to no payment of this gateway')
    if (type.startsWith('refund.')) {
      const { status, failure_reason: reason = 'unknown' } = await call((stripe) =>
        stripe.refunds.retrieve(about),
      )
      if (status === 'failed') return notices.refundFailed({ key: request.key, reason })
    }
    if (request.rail === 'acquirer') await notices.card(request.key)
    if (request.rail === 'mobileWallet') await notices.mobileWallet({ kind: 'payment', key: request.key })
    if (request.rail === 'directDebit') await notices.bankOrder(request.key)
    if (request.rail === 'referenceNetwork' && !isFollowUp(request))
      for (const payment of await paymentsAt({ call, requests }, [request.key]))
        await notices.references.receive(payment)
  },
}

async function disputeAt({ call, requests }: IntentDeps, id: string): Promise<Dispute | undefined> {
  const dispute = await unlessRefused(call((stripe) => stripe.disputes.retrieve(id)))
  if ('refused' in dispute) return undefined
  const { payment_intent: intent, amount, currency, balance_transactions: booked, reason } = dispute
  if (intent === null) return undefined
  const request = await requests.findByProviderId(typeof intent === 'string' ? intent : intent.id)
  if (request === undefined) return undefined
  /** The sum in the payment's currency. If Stripe booked in another currency, it is the amount of the dispute. */
  const moved = (sign: 1 | -1) => {
    const lines = booked.filter((line) => line.amount * sign > 0)
    if (lines.some((line) => line.currency !== currency)) return cents(amount)
    return cents(lines.reduce((sum, line) => sum + line.amount * sign, 0))
  }
  return { id, key: request.key, withdrawn: moved(-1), reinstated: moved(1), reason }
}
