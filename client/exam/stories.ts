// The payments, refunds and charges of an examination.
import type { Json } from '../gateway.ts'
import type { Actor } from '../trigger/actor.ts'
import { pathNamed } from '../trigger/trigger.ts'

/** The name of a callback that must come, and an id in its body. */
export type Awaited = readonly [name: string, id: string]

export interface Story {
  readonly name: string
  readonly summary: string
  /** Plays it. `awaited` gets each callback that must come, and `own` those that come only with self events. */
  act(actor: Actor, awaited: Awaited[], own: Awaited[]): Promise<void>
}

/** Parts whose sum is not exact in binary floating point. */
const refundParts = ['3.10', '0.20'] as const
/** Less than any amount that the examination pays. */
const wrongAmount = '1.00'

async function play(actor: Actor, event: string, awaited: Awaited[]): Promise<string> {
  const path = pathNamed(event)
  const subject = await path.act(actor)
  awaited.push([path.callback, subject])
  return subject
}

function played(name: string, event: string): Story {
  return {
    name,
    summary: pathNamed(event).summary,
    async act(actor, awaited) {
      await play(actor, event, awaited)
    },
  }
}

export const stories: readonly Story[] = [
  {
    name: 'refunded',
    summary: 'a checkout is paid by card, then refunded in two parts',
    async act(actor, awaited, own) {
      const id = await play(actor, 'payment.completed', awaited)
      for (const amount of refundParts) {
        const body = { type: 'partial', amount, request_id: actor.newRequestId() }
        const refund = await actor.api(`/api/v2/operations/${id}/refund`, body)
        own.push(['refund.completed', refund.id])
      }
    },
  },
  {
    name: 'reference',
    summary: 'a reference is chosen, paid with a wrong amount, then with the right one',
    async act(actor, awaited) {
      const id = await play(actor, 'payment.pending', awaited)
      const { mb, amount }: Json = await actor.api(`/api/v2/operations/${id}`)
      const { entity, ref } = mb
      await actor.sandbox('references/pay', { entity, ref, amount: wrongAmount })
      await actor.sandbox('references/pay', { entity, ref, amount })
      awaited.push(['reference.usererror', id], ['payment.completed', id])
    },
  },
  played('declined', 'payment.failed'),
  played('disputed', 'payment.paypal.disputed'),
  played('phone', 'payment.mbway.completed'),
  played('phone refused', 'payment.mbway.refused'),
  played('charge', 'subscription.charge.completed'),
  played('charge declined', 'subscription.charge.failed'),
]
