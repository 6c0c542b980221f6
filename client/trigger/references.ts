// Events of bank references.
import type { Json } from '../gateway.ts'
import { type Actor, amount, type Path } from './actor.ts'

async function given(actor: Actor): Promise<Json> {
  const made = await actor.api('/api/v2/mb/pay', { ...amount, request_id: actor.newRequestId() })
  actor.did('the merchant made a reference', {
    operation_id: made.id,
    entity: made.mb.entity,
    ref: made.mb.ref,
  })
  return made
}

async function typed(actor: Actor, mb: Json, sum: string): Promise<Json> {
  const answer = await actor.sandbox('references/pay', { ...mb, amount: sum })
  actor.did(`somebody paid ${sum} at an ATM${answer.accepted ? '' : `, which was refused: ${answer.reason}`}`)
  return answer
}

export const referencePaths: readonly Path[] = [
  {
    name: 'reference.paid',
    summary: 'a reference for one payment is paid',
    callback: 'payment.completed',
    async act(actor) {
      const { id, mb } = await given(actor)
      await typed(actor, mb, amount.amount)
      return id
    },
  },
  {
    name: 'reference.recurring.paid',
    summary: 'a reference for many payments is paid once',
    callback: 'payment.completed',
    async act(actor) {
      const terms = { min_amount: '1.00', max_amount: '100.00', request_id: actor.newRequestId() }
      const { mb } = await actor.api('/api/v2/mb/reference', terms)
      actor.did('the merchant made a reference for many payments', { entity: mb.entity, ref: mb.ref })
      return (await typed(actor, mb, amount.amount)).operation_id
    },
  },
  {
    name: 'reference.wrong_amount',
    summary: 'somebody tries to pay another amount',
    callback: 'reference.usererror',
    async act(actor) {
      const { id, mb } = await given(actor)
      await typed(actor, mb, '9.00')
      return id
    },
  },
  {
    name: 'reference.paid_twice',
    summary: 'somebody tries to pay a reference again',
    callback: 'reference.usererror',
    async act(actor) {
      const { id, mb } = await given(actor)
      await typed(actor, mb, amount.amount)
      await typed(actor, mb, amount.amount)
      return id
    },
  },
]
