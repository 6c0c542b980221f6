// What Stripe sends: signed, late, twice and in any order. It says what it is about, and what happened is asked.
import type { WebhookReceiver } from '../../src/connections/index.ts'
import { stripeLibrary } from './client.ts'

/** Stripe's own: an older signature is refused, so that nobody repeats one that they saw. */
const toleranceSeconds = 300

/** What is stored of an event. */
interface StoredEvent {
  readonly type: string
  /** Our key, from the metadata of what it is about; absent: nothing of ours. */
  readonly key?: string | undefined
}

export const webhook: WebhookReceiver = {
  verify({ secrets }, { headers, rawBody }, { clock }) {
    const signature = headers['stripe-signature'] ?? ''
    // It throws where the signature is wrong, and refuses so.
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
      id: string
      type: string
      data?: { object?: { metadata?: { comporta_key?: string } | null } }
    }
    const stored: StoredEvent = { type, key: data?.object?.metadata?.comporta_key }
    return { kind: 'accepted', id, payload: JSON.stringify(stored) }
  },

  async handle(_connection, { payload }, { requests, notices, logger }) {
    const { type, key } = JSON.parse(payload) as StoredEvent
    const request = key === undefined ? undefined : await requests.find(key)
    // An account may be used for other things than this gateway.
    if (request === undefined)
      return logger.info({ type }, 'An event of Stripe is about nothing of this gateway')
    if (request.rail === 'acquirer') await notices.card(request.key)
    if (request.rail === 'mobileWallet') await notices.mobileWallet({ kind: 'payment', key: request.key })
  },
}
