// Events of payments, authorizations and payouts.
import type { Json } from '../gateway.ts'
import { type Actor, amount, type Path } from './actor.ts'

const approved = '4176660000000027'
const declined = '4000000000000002'
const account = { holder: 'Ana Silva', iban: 'PT50000201231234567890154' }

async function paidByCard(actor: Actor): Promise<Json> {
  const made = await actor.checkout({ payment: amount })
  await actor.customer.payByCard(made.url_redirect, approved)
  actor.did(`the customer paid by card ${approved}`)
  return made
}

async function authorized(actor: Actor): Promise<string> {
  const made = await actor.checkout({ authorization: amount })
  await actor.customer.payByCard(made.url_redirect, approved)
  actor.did(`the customer allowed the amount by card ${approved}`)
  return made.authorization.id
}

async function chosen(actor: Actor, part: string, fields: Record<string, string> = {}): Promise<Json> {
  const made = await actor.checkout({ payment: amount })
  await actor.customer.submit(await actor.customer.open(made.url_redirect), part, fields)
  return made
}

async function paidByDebit(actor: Actor): Promise<string> {
  const { payment } = await chosen(actor, '/sepa', account)
  actor.did('the customer accepted a direct debit')
  await settled(actor, payment.id, 'paid')
  return payment.id
}

async function settled(actor: Actor, id: string, outcome: 'paid' | 'returned'): Promise<void> {
  await actor.sandbox(`sepa/${id}/settle`, { outcome })
  actor.did(outcome === 'paid' ? 'the bank carried it out' : 'the bank returned it')
}

async function askedByPhone(actor: Actor): Promise<{ id: string; phone: string; request: string }> {
  const phone = actor.newPhone()
  const body = {
    method: 'MBWAY',
    type: 'PAYMENT',
    ...amount,
    mbway: { phone },
    request_id: actor.newRequestId(),
  }
  const { id } = await actor.api('/api/v2/payment', body)
  actor.did(`the merchant asked the phone ${phone}`, { operation_id: id })
  return { id, phone, request: (await actor.askedOn(phone)).id }
}

async function answered(actor: Actor, answer: 'approve' | 'refuse'): Promise<string> {
  const { id, phone, request } = await askedByPhone(actor)
  await actor.sandbox(`phones/${encodeURIComponent(phone)}/requests/${request}/${answer}`, {})
  actor.did(answer === 'approve' ? 'the customer approved on the phone' : 'the customer refused on the phone')
  return id
}

async function paidOut(actor: Actor, outcome: 'paid' | 'returned'): Promise<string> {
  await paidByCard(actor)
  const { id } = await actor.api('/api/v2/payouts', { amount: '1.00', request_id: actor.newRequestId() })
  actor.did('the merchant ordered a payout', { operation_id: id })
  await settled(actor, id, outcome)
  return id
}

async function paidByPayPal(actor: Actor): Promise<string> {
  const { payment } = await chosen(actor, '/paypal')
  await actor.sandbox(`online-wallet/${payment.id}/approve`, {})
  actor.did('the customer agreed at PayPal')
  return payment.id
}

async function disputed(actor: Actor): Promise<string> {
  const id = await paidByPayPal(actor)
  await actor.sandbox(`online-wallet/${id}/reverse`, {})
  actor.did('PayPal took the money back for its customer')
  return id
}

export const paymentPaths: readonly Path[] = [
  {
    name: 'payment.completed',
    summary: 'a checkout is paid by card',
    callback: 'payment.completed',
    act: async (actor) => (await paidByCard(actor)).payment.id,
  },
  {
    name: 'payment.failed',
    formerName: 'payment.declined',
    summary: 'the card is declined, and the customer cancels',
    callback: 'payment.failed',
    async act(actor) {
      const made = await actor.checkout({ payment: amount })
      await actor.customer.payByCard(made.url_redirect, declined)
      actor.did(`the card ${declined} was declined`)
      await actor.customer.submit(await actor.customer.open(made.url_redirect), '/cancel')
      actor.did('the customer cancelled')
      return made.payment.id
    },
  },
  {
    name: 'payment.cancelled',
    summary: 'the customer cancels on the page',
    callback: 'payment.failed',
    async act(actor) {
      const { payment } = await chosen(actor, '/cancel')
      actor.did('the customer cancelled')
      return payment.id
    },
  },
  {
    name: 'payment.pending',
    summary: 'the customer chooses to pay by reference',
    callback: 'payment.pending',
    async act(actor) {
      const { payment } = await chosen(actor, '/mb?')
      actor.did('the customer chose Multibanco')
      return payment.id
    },
  },
  {
    name: 'payment.mbway.completed',
    summary: 'a payment is approved on the phone',
    callback: 'payment.completed',
    act: (actor) => answered(actor, 'approve'),
  },
  {
    name: 'payment.mbway.refused',
    summary: 'a payment is refused on the phone',
    callback: 'payment.failed',
    act: (actor) => answered(actor, 'refuse'),
  },
  {
    name: 'payment.paypal.completed',
    summary: 'a checkout is paid by PayPal',
    callback: 'payment.completed',
    act: paidByPayPal,
  },
  {
    name: 'payment.paypal.disputed',
    summary: 'a customer contests a payment by PayPal, which takes the money back',
    callback: 'refund.completed',
    act: disputed,
  },
  {
    name: 'payment.sepa.completed',
    summary: 'a direct debit is paid',
    callback: 'payment.completed',
    act: paidByDebit,
  },
  {
    name: 'payment.sepa.returned',
    summary: 'a direct debit is paid, then returned: a chargeback',
    callback: 'refund.completed',
    async act(actor) {
      const id = await paidByDebit(actor)
      await settled(actor, id, 'returned')
      return id
    },
  },
  {
    name: 'authorization.completed',
    summary: 'an amount is reserved on a card',
    callback: 'authorization.completed',
    act: authorized,
  },
  {
    name: 'capture.completed',
    summary: 'the merchant captures a part of an authorization',
    callback: 'capture.completed',
    async act(actor) {
      const id = await authorized(actor)
      const body = { amount: '4.00', request_id: actor.newRequestId() }
      const { id: capture } = await actor.api(`/api/v2/authorizations/${id}/capture`, body)
      actor.did('the merchant captured 4.00', { capture_id: capture })
      return capture
    },
  },
  {
    name: 'release.completed',
    summary: 'the merchant releases an authorization',
    callback: 'release.completed',
    async act(actor) {
      const id = await authorized(actor)
      const body = { request_id: actor.newRequestId() }
      const { id: release } = await actor.api(`/api/v2/authorizations/${id}/release`, body)
      actor.did('the merchant released all of it', { release_id: release })
      return release
    },
  },
  {
    name: 'refund.completed',
    summary: 'the merchant refunds a payment by card',
    callback: 'refund.completed',
    ownCall: true,
    async act(actor) {
      const { payment } = await paidByCard(actor)
      const body = { request_id: actor.newRequestId() }
      const { id } = await actor.api(`/api/v2/operations/${payment.id}/refund`, body)
      actor.did('the merchant refunded all of it', { refund_id: id })
      return id
    },
  },
  {
    name: 'payout.completed',
    summary: 'a payout reaches the merchant’s account',
    callback: 'payout.completed',
    act: (actor) => paidOut(actor, 'paid'),
  },
  {
    name: 'payout.failed',
    summary: 'the bank returns a payout',
    callback: 'payout.failed',
    act: (actor) => paidOut(actor, 'returned'),
  },
]
