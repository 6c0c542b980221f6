// Events of mandates in the mobile wallet.
import { type Actor, amount, type Path } from './actor.ts'

interface Asked {
  readonly id: string
  readonly path: string
}

async function asked(actor: Actor): Promise<Asked> {
  const phone = actor.newPhone()
  const body = { name: 'Ana Silva', phone, type: 'ONECLICK', request_id: actor.newRequestId() }
  const { mandate_id: id } = await actor.api('/api/v2/mandate/mbway', body)
  actor.did(`the merchant asked the phone ${phone} for a mandate`, { mandate_id: id })
  return { id, path: `phones/${encodeURIComponent(phone)}` }
}

async function approved(actor: Actor): Promise<Asked> {
  const mandate = await asked(actor)
  await actor.sandbox(`${mandate.path}/requests/${mandate.id}/approve`, { amount_limit: amount.amount })
  actor.did(`the customer approved it up to ${amount.amount} a month`)
  return mandate
}

async function changed(actor: Actor, verb: string, words: string, terms: object = {}): Promise<string> {
  const { id, path } = await approved(actor)
  await actor.sandbox(`${path}/mandates/${id}/${verb}`, terms)
  actor.did(`the customer ${words}`)
  return id
}

export const mandatePaths: readonly Path[] = [
  {
    name: 'mandate.approved',
    summary: 'a customer approves a mandate for payments without a PIN',
    callback: 'mandate.approved',
    act: async (actor) => (await approved(actor)).id,
  },
  {
    name: 'mandate.expired',
    formerName: 'mandate.refused',
    summary: 'a customer refuses a mandate',
    callback: 'mandate.expired',
    async act(actor) {
      const { id, path } = await asked(actor)
      await actor.sandbox(`${path}/requests/${id}/refuse`, {})
      actor.did('the customer refused')
      return id
    },
  },
  {
    name: 'mandate.updated',
    summary: 'a customer changes the amount in the app',
    callback: 'mandate.updated',
    act: (actor) => changed(actor, 'update', 'changed the amount', { amount_limit: '25.00' }),
  },
  {
    name: 'mandate.suspended',
    summary: 'a customer suspends a mandate in the app',
    callback: 'mandate.suspended',
    act: (actor) => changed(actor, 'suspend', 'suspended it'),
  },
  {
    name: 'mandate.voided',
    formerName: 'mandate.cancelled',
    summary: 'a customer cancels a mandate in the app',
    callback: 'mandate.voided',
    act: (actor) => changed(actor, 'cancel', 'cancelled it'),
  },
]
