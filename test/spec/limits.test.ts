// Limits of a merchant for payments and payouts.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formTo, openPage, submit } from '../browserless.ts'
import { databasesOr } from '../database.ts'
import { openWorld } from '../gateway-here.ts'
import { ibans } from '../money.ts'
import { signIn } from '../people.ts'
import { newPhone } from '../phone.ts'
import { askToPay, payByToken, storeCard } from '../stored-cards.ts'
import { type Subscribers, subscribersOf } from '../subscribers.ts'
import { type Answer, cards, type World } from '../world.ts'

const beyond = (reason: string) => ({ status: 403, body: { code: 20011, reason } })
const urls = { url_confirm: 'https://shop.example/ok', url_cancel: 'https://shop.example/no' }

describe.each(databasesOr('postgres'))('a limited merchant on %s', (kind) => {
  let world: World
  let token: string
  let declined: string
  let subscribers: Subscribers
  let subscription: string

  beforeAll(async () => {
    world = await openWorld(kind)
    subscribers = subscribersOf(world)
    token = await storeCard(world, cards.frictionless.number)
    declined = await storeCard(world, cards.insufficientFunds.number)
    subscription = (await subscribers.accepted({ amount: 90 })).id
  })
  afterAll(async () => {
    expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
    await world.stop()
  })

  /** Sets the three limits. Missing ones mean no limit. */
  const limited = ({ payment = 'none', day = 'none', payoutDay = 'none' } = {}) =>
    world.cli(
      ...['merchant', 'set', String(world.shop.wallet_id), '--payment-limit', payment],
      ...['--day-limit', day, '--payout-day-limit', payoutDay],
    )
  const checkout = (amount: number) =>
    world.shop.post('/api/v2/checkout', { payment: { amount, currency: 'EUR' }, ...urls })

  it('begins no payment that is larger than its operator allows, however it is asked for', async () => {
    expect((await limited({ payment: '50' })).json).toMatchObject({ payment_limit: '50.00' })
    // A gateway uses the old limits until it gets the notice of the change.
    await world.eventually(async () => (await checkout(50.01)).status === 403)
    const largest = (field: string, amount: string) =>
      beyond(`${field} must be at most 50.00, the largest payment that the operator allows; it is ${amount}`)
    const asked: [Answer, string, string][] = [
      [await checkout(50.01), 'payment.amount', '50.01'],
      [
        await world.shop.post('/api/v2/checkout', {
          authorization: { amount: 51, currency: 'EUR' },
          ...urls,
        }),
        'authorization.amount',
        '51.00',
      ],
      [await askToPay(world, token, { amount: 60 }), 'amount', '60.00'],
      [await askToPay(world, token, { amount: 60 }, '/prows/v2/authorization'), 'amount', '60.00'],
      [await askToPay(world, token, { amount: 60, card: undefined, newCard }), 'amount', '60.00'],
      [
        await world.shop.post('/api/v2/payment', {
          method: 'MBWAY',
          type: 'PAYMENT',
          amount: 70,
          currency: 'EUR',
          mbway: { phone: newPhone(world).number },
        }),
        'amount',
        '70.00',
      ],
      [
        await world.shop.post('/api/v2/mb/pay', {
          method: 'MB',
          type: 'PAYMENT',
          amount: 80,
          currency: 'EUR',
        }),
        'amount',
        '80.00',
      ],
      [
        await world.shop.post('/api/v2/mb/reference', { min_amount: 1, max_amount: 90, currency: 'EUR' }),
        'max_amount',
        '90.00',
      ],
      [
        await world.shop.post('/api/v2/payment_links', { amount: 55, currency: 'EUR', description: 'Vase' }),
        'amount',
        '55.00',
      ],
      [
        await world.shop.post('/api/v2/payment_links', {
          amount_min: 1,
          amount_max: 56,
          currency: 'EUR',
          description: 'Gift',
        }),
        'amount_max',
        '56.00',
      ],
      [await subscribers.charge(subscription, 61), 'payment.amount', '61.00'],
    ]
    for (const [answer, field, amount] of asked) expect(answer).toMatchObject(largest(field, amount))
    await expect(subscribers.checkout({ amount: 51 })).rejects.toThrow(/subscription.amount must be at most/)
    expect((await checkout(50)).status).toBe(200)
    expect((await limited()).json).toMatchObject({ payment_limit: null })
    await world.eventually(async () => (await checkout(50.01)).status === 200)
  })

  it('takes what a day allows, refuses more, and takes it again when a payment failed or a day has passed', async () => {
    await world.advance('P1D')
    await limited({ day: '100' })
    const open = await world.createCheckout({ payment: { amount: 40, currency: 'EUR' } })
    const paid = await payByToken(world, token, { amount: 70 })
    expect(await askToPay(world, declined, { amount: 30 })).toMatchObject({ status: 402 })
    const left = (field: string, amount: string, rest = '30.00') =>
      beyond(
        `${field} must be at most ${rest}, which is left today of the 100.00 a day that the operator allows; it is ${amount}`,
      )
    expect(await checkout(31)).toMatchObject(left('payment.amount', '31.00'))
    expect(await askToPay(world, token, { amount: 30.01 })).toMatchObject(left('amount', '30.01'))
    expect(await subscribers.charge(subscription, 30.01)).toMatchObject(left('payment.amount', '30.01'))

    const page = await openPage(`${open.url_redirect}?lang=en`)
    const refused = await submit(page, formTo(page, '/card'), {})
    expect(refused.text).toContain('This shop cannot take this payment at present')
    expect(await world.operation(open.payment.id)).toMatchObject({ status: 'NEW' })

    await payByToken(world, token, { amount: 30 })
    expect(await askToPay(world, token, { amount: 0.01 })).toMatchObject(left('amount', '0.01', '0.00'))
    const owner = await signIn(world, 'owner@demo.example')
    const { body } = await owner.send('GET', `/wallets/${world.shop.wallet_id}/settings`)
    expect(body.limits).toEqual({ payment: null, day: '100.00', taken_today: '100.00', payout_day: null })

    expect((await world.shop.post(`/api/v2/operations/${paid.id}/refund`)).status).toBe(200)
    await world.advance('P1D')
    await payByToken(world, token, { amount: 100 })
    await limited()
    await payByToken(world, token, { amount: 1 })
  })

  it('counts earlier payments, repeated requests once, and at most the rest of an authorization', async () => {
    await world.advance('P1D')
    await limited()
    await payByToken(world, token, { amount: 10 })
    await limited({ day: '100' })
    expect((await askToPay(world, token, { amount: 90.01 })).body.reason).toContain('at most 90.00')
    const request_id = randomUUID()
    for (let again = 0; again < 3; again++) await payByToken(world, token, { amount: 30, request_id })
    const { body: held } = await askToPay(world, token, { amount: 60 }, '/prows/v2/authorization')
    expect((await askToPay(world, token, { amount: 1 })).body.code).toBe(20011)
    expect((await world.shop.post(`/api/v2/authorizations/${held.id}/release`, { amount: 45 })).status).toBe(
      200,
    )
    expect((await askToPay(world, token, { amount: 45.01 })).body.reason).toContain('at most 45.00')
    // The limit is switched off for a while. Payments of that time count for the day too.
    await limited()
    await payByToken(world, token, { amount: 20 })
    await limited({ day: '100' })
    expect((await askToPay(world, token, { amount: 25.01 })).body.reason).toContain('at most 25.00')
    await payByToken(world, token, { amount: 25 })
  })

  it('is paid by customers whose banks confirm them when its settings were changed or forgotten a moment before', async () => {
    await world.advance('P1D')
    const challenges = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const checkout = await world.createCheckout()
        return { id: checkout.payment.id, at: await challengeOf(checkout) }
      }),
    )
    // The later request uses its own connection only after the first has released one.
    await limited({ day: '200' })
    await Promise.all(challenges.map(({ at }) => world.request(`/sandbox/api/challenges/${at}/answer`, otp)))
    for (const { id } of challenges)
      await world.eventually(async () => (await world.operation(id)).status === 'COMPLETED')
  })

  it('is paid by references above a later limit, and counts', async () => {
    await world.advance('P1D')
    const { body } = await world.shop.post('/api/v2/mb/pay', {
      method: 'MB',
      type: 'PAYMENT',
      amount: 80,
      currency: 'EUR',
    })
    await limited({ day: '100', payment: '20' })
    const taken = await world.request('/sandbox/api/references/pay', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ entity: body.mb.entity, ref: body.mb.ref, amount: 80 }),
    })
    expect(taken.body).toMatchObject({ accepted: true })
    expect(await world.operation(body.id)).toMatchObject({ status: 'COMPLETED' })
    await payByToken(world, token, { amount: 20 })
    expect((await askToPay(world, token, { amount: 1 })).body.code).toBe(20011)
  })

  it('fails a charge that was accepted when the limit is lower by the time it is made', async () => {
    await world.advance('P40D')
    await limited({ day: '100' })
    await payByToken(world, token, { amount: 60 })
    const phone = newPhone(world)
    const direct = await world.shop.post('/api/v2/payment', {
      method: 'MBWAY',
      type: 'PAYMENT',
      amount: 30,
      currency: 'EUR',
      mbway: { phone: phone.number },
    })
    expect(direct.status).toBe(200)
    expect((await subscribers.charge(subscription, 11)).body.code).toBe(20011)
    await phone.refuse((await phone.pending()).id)
    await world.eventually(async () => (await world.operation(direct.body.id)).status === 'FAIL')
    const { body } = await subscribers.charge(subscription, 40)
    const { charge_order } = body
    expect(await subscribers.processed(subscription, (charge_order ?? body).id)).toMatchObject({
      status: 'SUCCESS',
    })
  })

  it('is paid out what a day allows, however it is ordered', async () => {
    await world.cli('merchant', 'set', String(world.shop.wallet_id), '--iban', ibans.paid)
    await limited({ payoutDay: '25' })
    const out = (amount: number) => world.shop.post('/api/v2/payouts', { amount })
    expect((await out(20)).status).toBe(200)
    const refused = beyond(
      "amount must be at most 5.00, the rest of the operator's payout limit of 25.00 a day; it is 6.00",
    )
    expect(await out(6)).toMatchObject(refused)
    expect(await world.shop.post('/api/v2/payouts?dry_run=true', { amount: 6 })).toMatchObject(refused)
    const [first, second, third] = await Promise.all([out(5), out(5), out(4)])
    expect([first, second, third].filter(({ status }) => status === 200)).toHaveLength(1)
    await world.advance('P1D')
    expect((await out(25)).status).toBe(200)
  })
})

async function challengeOf(checkout: { url_redirect: string }): Promise<string> {
  const page = await openPage(checkout.url_redirect)
  const { number } = cards.challenge
  const typed = { number, name: 'Ana', expiry: '12/30', vcode: '123' }
  let next = await submit(page, formTo(page, '/card'), typed)
  const method = next.forms.find(({ fields }) => 'compInd' in fields)
  if (method !== undefined) next = await submit(next, method)
  const { creq = '' } = formTo(next, '/challenge').fields
  return JSON.parse(Buffer.from(creq, 'base64url').toString()).threeDSServerTransID
}

const otp = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ otp: cards.challenge.otp }),
}

const newCard = {
  number: cards.frictionless.number,
  name: 'Ana',
  email: 'ana@example.com',
  vcode: '123',
  valdate: '12/2030',
}
