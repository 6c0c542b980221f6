// One object of each kind with an id, and requests of another merchant.
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { authorizing } from '../authorizing.ts'
import { moneyOf } from '../money.ts'
import { newPhone } from '../phone.ts'
import { paidReferences } from '../references-paid.ts'
import { payByToken } from '../stored-cards.ts'
import { subscribersOf } from '../subscribers.ts'
import { cards, type Json, type Merchant, type World } from '../world.ts'

export interface Belongings {
  readonly byPath: Readonly<Record<string, string>>
  readonly chargeId: string
  readonly eventId: string
  readonly savedCardId: string
  /** Requests that change an object, by method and path, each with a valid body. */
  readonly uses: Readonly<Record<string, Json>>
  readonly callback: string
}

/** Requests that create something for the caller: their body names no other object. */
export const makesOwn: readonly string[] = [
  'POST /api/v2/checkout',
  'POST /api/v2/payment_links',
  'POST /api/v2/customers',
  'POST /prows/v2/creditcard',
  'POST /api/v2/payouts',
  'PUT /api/v2/payouts/schedule',
  'POST /api/v2/mb/pay',
  'POST /api/v2/mb/reference',
  'POST /api/v2/mandate/mbway',
  'PUT /api/v2/mails/kinds/:kind',
  'POST /api/v2/callback_endpoints',
]

/** @param other the merchant that will ask for it */
export async function belongingsOf(world: World, other: Merchant): Promise<Belongings> {
  const { shop } = world
  const made = async (path: string, body: Json): Promise<Json> => {
    const answer = await shop.post(path, body)
    if (answer.status !== 200) throw new Error(answer.text)
    return answer.body
  }
  const cardShop = authorizing(() => world)
  const subscribers = subscribersOf(world)
  const money = moneyOf(world)
  const token = await cardShop.storeCard()
  const requestId = randomUUID()
  const paid = await payByToken(world, token, { request_id: requestId })
  const held = await cardShop.authorize(token, 10)
  const checkout = await world.createCheckout()
  const link = await made('/api/v2/payment_links', { description: 'Lamp', amount: 10 })
  await turnOnLinks(world, [shop, other])
  const { mail_id: mailId } = await made(`/api/v2/payment_links/${link.id}/mail`, {
    email: 'ana@example.com',
  })
  const { id: customer } = await made('/api/v2/customers', { name: 'Ana' })
  await world.payOnPage(await world.createCheckout({ customer: { id: customer } }), cards.frictionless, {
    save: 'yes',
  })
  const [savedCard] = (await shop.get(`/api/v2/customers/${customer}/payment_methods`)).body.elements
  const { id: endpointId } = await made('/api/v2/callback_endpoints', { url: world.receiver.url('/stock') })
  const subscription = await subscribers.accepted({ auto_charge: { amount: 1 } })
  const { body: charge } = await subscribers.charge(subscription.id, 5)
  const phone = newPhone(world)
  const mandate = await made('/api/v2/mandate/mbway', { name: 'Ana', phone: phone.number, type: 'ONECLICK' })
  await phone.approve((await phone.pending()).id)
  const reference = await made('/api/v2/mb/reference', { min_amount: 5, max_amount: 20 })
  const { bank_reference: reference_text } = await money.funds()
  await money.sandbox('bank/transfer', { reference_text, amount: '50' })
  await world.cli('merchant', 'set', String(shop.wallet_id), '--iban', 'PT50000201231234567890154')
  const payout = await made('/api/v2/payouts', { amount: 5 })
  await world.cli('merchant', 'set', String(shop.wallet_id), '--mb-refunds', 'on')
  const references = paidReferences(world)
  const { body: refund } = await references.refund((await references.paid()).id)
  const callback = await world.eventually(async () => world.receiver.received('/operation')[0])
  const eventId = String(callback.headers['webhook-id'])
  await made(`/api/v2/callback_endpoints/${endpointId}/resend`, { event_id: eventId })
  await subscribers.processed(subscription.id, charge.id)
  expect((await shop.post('/api/v2/callback/verify', callback.body)).text).toBe('true')

  const urls = {
    cardsecure_url_confirm: 'https://b.example/ok',
    cardsecure_url_cancel: 'https://b.example/no',
  }
  const byCard = { amount: 1, currency: 'EUR', callback: 'https://b.example/c', ...urls, card: { token } }
  const chargeOnce = { payment: { amount: 1, currency: 'EUR', ext_invoiceid: 'B-1' } }
  return {
    byPath: {
      '/api/v2/requests/:id': requestId,
      '/api/v2/operations/:id/refund_account': refund.id,
      '/api/v2/operations/:id': paid.id,
      '/api/v2/checkout/:id': checkout.id,
      '/api/v2/payment_links/:id': link.id,
      '/prows/v2/creditcard/:token': token,
      '/api/v2/authorizations/:id': held.id,
      '/api/v2/subscriptions/:id': subscription.id,
      '/api/v2/Subscriptions/:id': subscription.id,
      '/api/v2/mandate/mbway/:id': mandate.mandate_id,
      '/api/v2/payouts/:id': payout.id,
      '/api/v2/mails/:id': mailId,
      '/api/v2/callback_endpoints/:id': endpointId,
      '/api/v2/customers/:id': customer,
    },
    chargeId: charge.id,
    eventId,
    savedCardId: savedCard.id,
    uses: {
      'POST /api/v2/operations/:id/refund': {},
      'POST /api/v2/operations/:id/split': { split: [{ merchant_wallet: other.public_id }] },
      'DELETE /api/v2/operations/:id/refund_account': undefined,
      'DELETE /api/v2/checkout/:id': undefined,
      'DELETE /api/v2/payment_links/:id': undefined,
      'POST /api/v2/payment_links/:id/mail': { email: 'ana@example.com' },
      'PATCH /api/v2/callback_endpoints/:id': { status: 'PAUSED' },
      'DELETE /api/v2/callback_endpoints/:id': undefined,
      'POST /api/v2/callback_endpoints/:id/secrets': { kind: 'callback_secret' },
      'POST /api/v2/callback_endpoints/:id/resend': {},
      'POST /api/v2/callback_endpoints/:id/test': undefined,
      'PATCH /api/v2/customers/:id': { name: 'Rui' },
      'DELETE /api/v2/customers/:id': undefined,
      'DELETE /api/v2/customers/:id/payment_methods/:method': undefined,
      'POST /prows/v2/payment': byCard,
      'POST /prows/v2/authorization': byCard,
      'DELETE /prows/v2/creditcard/:token': undefined,
      'POST /api/v2/authorizations/:id/capture': { amount: 1 },
      'POST /api/v2/authorizations/:id/release': { amount: 1 },
      'DELETE /api/v2/mb/reference': { mb: reference.mb },
      'DELETE /api/v2/subscriptions/:id': undefined,
      'DELETE /api/v2/Subscriptions/:id': undefined,
      'POST /api/v2/subscriptions/:id/charge': chargeOnce,
      'POST /api/v2/Subscriptions/:id/charge': chargeOnce,
      'PATCH /api/v2/subscriptions/:id': { auto_charge: { amount: 1 } },
      'POST /api/v2/subscriptions/:id/pause': {},
      'POST /api/v2/subscriptions/:id/resume': {},
      'DELETE /api/v2/subscriptions/:id/auto_charge': undefined,
      'DELETE /api/v2/mandate/mbway/:id': undefined,
      'POST /api/v2/payment': {
        method: 'MBWAY',
        type: 'PAYMENT',
        amount: 1,
        currency: 'EUR',
        mandate_id: mandate.mandate_id,
      },
    },
    callback: callback.body,
  }
}

async function turnOnLinks(world: World, merchants: readonly Merchant[]): Promise<void> {
  for (const { api_key: key } of merchants)
    await world.request('/api/v2/mails/kinds/payment_link', {
      method: 'PUT',
      headers: { authorization: `Comporta ${key}`, 'content-type': 'application/json' },
      body: '{"enabled":true}',
    })
}
