// Triggers every callback that the API reference documents.
import { randomUUID } from 'node:crypto'
import { authorizing, passIssuer } from '../../authorizing.ts'
import { formTo, openPage, submit } from '../../browserless.ts'
import { signIn } from '../../people.ts'
import { newPhone, type Phone } from '../../phone.ts'
import { subscribersOf } from '../../subscribers.ts'
import { cards, type Json, type World } from '../../world.ts'

/** Triggers the callbacks. They arrive at the receiver of `world` later. */
export async function causeCallbacks(world: World): Promise<void> {
  await paying(world)
  await storingCards(world)
  await subscribing(world)
  await allowing(world)
  const owner = await signIn(world, 'owner@demo.example')
  await owner.send('POST', `/wallets/${world.shop.wallet_id}/developers/ping`, { endpoint: 'wallet' })
}

/** The name under `webhooks` in the OpenAPI document that describes a received body. */
export function webhookOf(body: Json): string {
  const byType: Json = {
    PING: 'ping',
    ADD_CARD: 'cardStored',
    MANDATE: 'mandate',
    SUBSCRIPTION: 'subscription',
  }
  if (byType[body.type] !== undefined) return byType[body.type]
  if ('user_error' in body) return 'userError'
  if ('charge_order_id' in body) return 'charge'
  return 'operation_id' in body ? 'operation' : 'subscription'
}

async function paying(world: World): Promise<void> {
  const payment = { amount: 10, currency: 'EUR' }
  await world.payOnPage(await world.createCheckout({ payment }), cards.frictionless)
  const byReference = await openPage((await world.createCheckout({ payment })).url_redirect)
  await submit(byReference, formTo(byReference, '/mb?'))
  await cancelOn(world, await world.createCheckout({ payment }))
  const shop = authorizing(() => world)
  const token = await shop.storeCard()
  const { id } = await shop.authorize(token, 10, { callback: world.receiver.url('/callbacks') })
  await shop.capture(id, { amount: 5 })
  const { body: made } = await world.shop.post('/api/v2/mb/pay', payment)
  for (const amount of [9, 10, 10]) await post(world, 'references/pay', { ...made.mb, amount })
}

async function cancelOn(world: World, { url_redirect }: { url_redirect: string }): Promise<void> {
  const page = await openPage(url_redirect)
  await submit(page, formTo(page, '/cancel'), {}, { within: world.baseUrl })
}

async function storingCards(world: World): Promise<void> {
  const urls = {
    cardsecure_url_confirm: 'https://shop.example/ok',
    cardsecure_url_cancel: 'https://shop.example/no',
  }
  const newCard = { name: 'Ana Silva', vcode: '123', valdate: '12/2030', email: 'ana@example.com' }
  const esb = { 'proxy-authorization': `ESBToken=${world.shop.esb_token}` }
  for (const { number } of [cards.frictionless, cards.rejected]) {
    const asked = { ...urls, newCard: { ...newCard, number }, request_id: randomUUID() }
    const { body } = await world.shop.post('/prows/v2/creditcard', asked, esb)
    await passIssuer(body.cardsecure_url_redirect, { within: world.baseUrl })
  }
}

async function subscribing(world: World): Promise<void> {
  const subscribers = subscribersOf(world)
  const { id } = await subscribers.accepted()
  await subscribers.charge(id, 9.99)
  const { id: poor } = await subscribers.accepted({}, cards.insufficientFunds)
  await subscribers.charge(poor, 9.99)
  await cancelOn(world, await subscribers.checkout())
  const result = await world.payOnPage(await subscribers.checkout(), cards.frictionless)
  const link = result.links.find((href) => href.includes('/subscription/')) ?? ''
  const page = await openPage(new URL(link, world.baseUrl).href)
  const sure = await openPage(
    new URL(page.links.find((href) => href.includes('cancel')) ?? '', page.url).href,
  )
  await submit(sure, formTo(sure, '/cancel'))
}

async function allowing(world: World): Promise<void> {
  const mandate = async (phone: Phone) =>
    (await world.shop.post('/api/v2/mandate/mbway', { phone: phone.number, type: 'ONECLICK' })).body
      .mandate_id
  const phone = newPhone(world)
  const id = await mandate(phone)
  await phone.approve((await phone.pending()).id, { amount_limit: 100 })
  await phone.change(id, 'update', { amount_limit: 150 })
  await phone.change(id, 'suspend')
  await phone.change(id, 'cancel')
  const unwilling = newPhone(world)
  await mandate(unwilling)
  await unwilling.refuse((await unwilling.pending()).id)
}

async function post(world: World, path: string, body: object): Promise<void> {
  await world.request(`/sandbox/api/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}
