// The first payment: checkout, 3-D Secure, callback, operation.
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databaseKinds } from '../database.ts'
import { openWorld } from '../gateway-here.ts'
import { cards, type World } from '../world.ts'

describe.each(databaseKinds)('the first payment, on %s', (kind) => {
  let world: World

  beforeAll(async () => {
    world = await openWorld(kind)
  })
  afterAll(() => world.stop())

  it.each([
    ['a frictionless Visa', cards.frictionless, 'visa'],
    [
      'a frictionless Mastercard whose issuer looks at the browser first',
      cards.frictionlessMastercard,
      'mastercard',
    ],
    ['a Visa with a challenge', cards.challenge, 'visa'],
    ['a Mastercard with a challenge', cards.challengeMastercard, 'mastercard'],
  ])('with %s', async (_, card, brand) => {
    const { shop, receiver } = world
    const checkout = await world.createCheckout({
      payment: { amount: '12.34', currency: 'EUR', ext_invoiceid: 'A-7' },
    })
    expect(checkout.payment).toMatchObject({
      type: 'PAYMENT',
      status: 'NEW',
      amount: 12.34,
      fee: 0,
      amount_net: 12.34,
    })

    const result = await world.payOnPage(checkout, card)
    expect(result.text).toContain('€12.34')
    expect(result.links).toContain(`https://shop.example/ok?checkoutid=${checkout.id}`)

    const operation = await world.operation(checkout.payment.id)
    expect(operation).toMatchObject({
      id: checkout.payment.id,
      type: 'PAYMENT',
      status: 'COMPLETED',
      method: 'CC',
      amount: 12.34,
      fee: -0.27,
      amount_net: 12.07,
      refundable: true,
      channel: 'WEBSITE',
      ext_invoiceid: 'A-7',
      merchant: { id: String(shop.wallet_id), name: 'Demo Shop' },
      card: { type: brand, last4: card.number.slice(-4), bin: card.number.slice(0, 6), valdate: '12/2030' },
      client: { name: 'Ana Silva' },
    })
    expect((await shop.get(`/api/v2/checkout/${checkout.id}`)).body.payment).toEqual(
      await world.operation(checkout.payment.id),
    )

    const callback = await world.eventually(async () =>
      receiver.received('/callbacks').find(({ body }) => body.includes(checkout.payment.id)),
    )
    const payload = JSON.parse(callback.body)
    expect(payload).toMatchObject({
      event: 'COMPLETED',
      operation_status: 'COMPLETED',
      operation_id: checkout.payment.id,
      checkout_id: checkout.id,
      amount: 12.34,
      currency: 'EUR',
      method: 'CC',
      ext_invoiceid: 'A-7',
      user: shop.wallet_id,
    })
    const basic = Buffer.from(`${shop.callback_user}:${shop.callback_secret}`).toString('base64')
    expect(callback.headers.authorization).toBe(`Basic ${basic}`)
    const id = callback.headers['webhook-id']
    expect(shop.callback_secret).not.toMatch(/^whsec_/)
    const key = Buffer.from(shop.callback_signing_secret.replace(/^whsec_/, ''), 'base64')
    const signed = `${id}.${callback.headers['webhook-timestamp']}.${callback.body}`
    expect(callback.headers['webhook-signature']).toContain(
      `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
    )

    expect(await shop.post('/api/v2/callback/verify', callback.body)).toMatchObject({
      status: 200,
      text: 'true',
    })
    const forged = { ...payload, amount: 99 }
    expect(await shop.post('/api/v2/callback/verify', forged)).toMatchObject({ status: 400, text: 'false' })
    const tooLarge = JSON.stringify({ ...JSON.parse(callback.body), more: 'x'.repeat(70_000) })
    expect(await shop.post('/api/v2/callback/verify', tooLarge)).toMatchObject({ status: 400, text: 'false' })
    expect(await world.merchant('Plain Shop').post('/api/v2/callback/verify', callback.body)).toMatchObject({
      status: 400,
      text: 'false',
    })
  })

  it('leaves books that audit clean', async () => {
    const { code, json } = await world.cli('audit')
    expect(json.problems).toEqual([])
    expect(code).toBe(0)
    expect(json.checks.settled_operations_are_posted).toBeGreaterThanOrEqual(4)
  })
})
