// Injected faults: the gateway recovers, and the money is right.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Money, moneyOf } from '../money.ts'
import { askedOnPhone } from '../phone.ts'
import { storeCard } from '../stored-cards.ts'
import { type Answer, cards, type Json, startWorld, type World } from '../world.ts'

let world: World
let money: Money
let token: string

beforeAll(async () => {
  world = await startWorld()
  money = moneyOf(world)
  token = await storeCard(world, cards.frictionless.number)
})
afterAll(async () => {
  await chaos('DELETE')
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await world.stop()
})

function chaos(method: 'GET' | 'POST' | 'DELETE', body?: object, query = ''): Promise<Answer> {
  return world.request(`/sandbox/api/chaos${query}`, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
}

async function pay(headers: Record<string, string> = {}, change: object = {}): Promise<Answer> {
  return world.shop.post(
    '/prows/v2/payment',
    {
      ...{ amount: 10, currency: 'EUR', card: { token } },
      callback: world.receiver.url('/operation'),
      cardsecure_url_confirm: world.receiver.url('/confirm'),
      cardsecure_url_cancel: world.receiver.url('/cancel'),
      ...change,
    },
    { 'proxy-authorization': `ESBToken=${world.shop.esb_token}`, ...headers },
  )
}

const withChaos = (text: string) => ({ 'comporta-sandbox-chaos': text })
const statusOf = async (id: string) => (await world.operation(id)).status
const becomes = (id: string, status: string) =>
  world.eventually(async () => (await statusOf(id)) === status || undefined)

async function resolved(id: string): Promise<string> {
  return world.eventually(async () => {
    await world.advance('PT1M')
    const status = await statusOf(id)
    return status !== 'PENDING' && status
  })
}

describe('an acquirer', () => {
  it('that is down leaves a payment pending, which fails later, because nothing arrived', async () => {
    await chaos('POST', { rail: 'acquirer', trouble: 'down', wallet_id: world.shop.wallet_id })
    const { body } = await pay()
    expect(body.status).toBe('PENDING')
    // The inquiry by key does not name the merchant, so the rail is down too and nothing is abandoned.
    for (let minutes = 0; minutes < 6; minutes++) await world.advance('PT1M')
    expect(await statusOf(body.id)).toBe('PENDING')
    expect((await chaos('DELETE')).body).toEqual({ settings: [] })
    expect(await resolved(body.id)).toBe('FAIL')
  })

  it('that is slow answers late, but in time', async () => {
    await chaos('POST', { rail: 'acquirer', trouble: 'slow', seconds: 2, calls: 1 })
    expect((await chaos('GET')).body.settings).toMatchObject([{ trouble: 'slow', seconds: 2, calls: 1 }])
    const began = performance.now()
    expect((await pay()).body.status).toBe('COMPLETED')
    expect(performance.now() - began).toBeGreaterThan(1900)
    expect((await chaos('GET')).body).toEqual({ settings: [] })
  })

  it('that answers with errors, or is silent, is asked again after a restart, and the fault remains', async () => {
    await chaos('POST', { rail: 'acquirer', trouble: 'error', status: 502 })
    const { body } = await pay()
    expect(body.status).toBe('PENDING')
    await chaos('POST', { rail: 'acquirer', trouble: 'silent' })
    const taken = (await pay()).body
    await world.kill()
    await world.restart()
    expect((await chaos('GET')).body.settings).toMatchObject([{ rail: 'acquirer', trouble: 'silent' }])
    await chaos('DELETE')
    expect(await resolved(body.id)).toBe('FAIL')
    expect(await resolved(taken.id)).toBe('COMPLETED')
  })
})

describe('a setting', () => {
  it('of one merchant does not affect others, also for inquiries by key', async () => {
    await chaos('POST', { rail: 'acquirer', trouble: 'down', wallet_id: world.shop.wallet_id + 1 })
    const { body } = await pay()
    expect(body.status).toBe('COMPLETED')
    await chaos('DELETE')
    await chaos('POST', { rail: 'online_wallet', trouble: 'error', wallet_id: world.shop.wallet_id })
    const checkout = await world.createCheckout()
    const page = await money.pay(checkout, 'paypal')
    expect(page.text).not.toContain('Log in to your account')
    await chaos('DELETE', undefined, `?rail=online_wallet&wallet_id=${world.shop.wallet_id}`)
    expect((await money.pay(checkout, 'paypal')).text).toContain('Log in to your account')
  })

  it('ends after its minutes, by the clock of the gateway', async () => {
    const { body } = await chaos('POST', { rail: 'bank', trouble: 'down', minutes: 10 })
    expect(body.settings).toMatchObject([{ rail: 'bank', trouble: 'down', wallet_id: null, calls: null }])
    await world.advance('PT11M')
    expect((await chaos('GET')).body).toEqual({ settings: [] })
  })

  it.each<[string, Json, number, RegExp]>([
    ['without a rail', { trouble: 'down' }, 10001, /^rail /],
    ['of an unknown merchant', { rail: 'bank', trouble: 'down', wallet_id: 999_999 }, 10002, /^wallet_id /],
    ['with a misspelt field', { rail: 'bank', trouble: 'down', call: 1 }, 10002, /^call /],
    ['of an unknown rail', { rail: 'moon', trouble: 'down' }, 10002, /^rail /],
    ['without trouble', { rail: 'bank' }, 10001, /^trouble /],
    ['of unknown trouble', { rail: 'bank', trouble: 'tired' }, 10002, /^trouble /],
    ['slow for ever', { rail: 'bank', trouble: 'slow', seconds: 61 }, 10002, /^seconds /],
    ['slow by half a second', { rail: 'bank', trouble: 'slow', seconds: 0.5 }, 10002, /^seconds /],
    ['with a success', { rail: 'bank', trouble: 'error', status: 200 }, 10002, /^status /],
    [
      'of a merchant that is no number',
      { rail: 'bank', trouble: 'down', wallet_id: 'x' },
      10002,
      /^wallet_id /,
    ],
    ['of no call', { rail: 'bank', trouble: 'down', calls: 0 }, 10002, /^calls /],
    ['for no minute', { rail: 'bank', trouble: 'down', minutes: -1 }, 10002, /^minutes /],
  ])('%s is refused', async (_, body, code, reason) => {
    const answer = await chaos('POST', body)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ code, reason: expect.stringMatching(reason) })
    expect((await chaos('GET')).body).toEqual({ settings: [] })
  })
})

describe('the header of one request', () => {
  it('affects that request only', async () => {
    const [troubled, other] = await Promise.all([pay(withChaos('acquirer=error')), pay()])
    expect(other.body.status).toBe('COMPLETED')
    expect(troubled.body.status).toBe('PENDING')
    expect(await resolved(troubled.body.id)).toBe('FAIL')
  })

  it('makes the callback of that request fail once, and the next attempt succeeds', async () => {
    const path = '/after-chaos'
    const { body } = await pay(withChaos('callbacks=error:500'), { callback: world.receiver.url(path) })
    expect(body.status).toBe('COMPLETED')
    const failed = await world.eventually(async () => (await deliveryOf(body.id)).last_status === 500)
    expect(failed).toBe(true)
    expect(world.receiver.received(path)).toEqual([])
    await world.advance('PT10S')
    const [callback] = await world.receiver.waitFor(path, 1)
    expect(JSON.parse(callback?.body ?? '')).toMatchObject({ operation_id: body.id, event: 'COMPLETED' })
  })

  it('affects no callback of others at the same moment, and no later attempt', async () => {
    const paths = Array.from({ length: 24 }, (_, n) => `/beside-chaos-${n}`)
    const isFaulty = (n: number) => n % 3 === 0
    await Promise.all(
      paths.map((path, n) =>
        pay(isFaulty(n) ? withChaos('callbacks=error:500') : {}, { callback: world.receiver.url(path) }),
      ),
    )
    // Without a clock jump, the worker finds the retries.
    const firstAttempt = paths.filter((_, n) => !isFaulty(n))
    await Promise.all(firstAttempt.map((path) => world.receiver.waitFor(path, 1)))
    const { json } = await world.cli('callbacks', 'list', String(world.shop.wallet_id))
    const failed = json.callbacks.filter(({ last_status }: Json) => last_status === 500)
    expect(failed.length).toBeLessThanOrEqual(paths.length - firstAttempt.length)
    await Promise.all(paths.map((path) => world.receiver.waitFor(path, 1)))
  })

  it.each([
    'acquirer',
    'acquirer=tired',
    'moon=down',
    'acquirer=slow:x',
    'acquirer=slow:0',
    'bank=error:200',
    '',
  ])('is refused as "%s"', async (text) => {
    const { status, body } = await pay(withChaos(text))
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 10002, reason: expect.stringContaining('acquirer=slow:5') })
  })
})

async function deliveryOf(operationId: string): Promise<Json> {
  const { json } = await world.cli('callbacks', 'list', String(world.shop.wallet_id))
  return json.callbacks.find(({ subject }: Json) => subject === operationId) ?? {}
}

describe('other rails', () => {
  it('a silent phone gets each request once, and pays', async () => {
    const checkout = await world.createCheckout()
    const { phone, request } = await askedOnPhone(world, checkout)
    await chaos('POST', { rail: 'mobile_wallet', trouble: 'down' })
    await phone.approve(request.id)
    expect(await statusOf(checkout.payment.id)).toBe('PENDING')
    await chaos('DELETE')
    expect(await resolved(checkout.payment.id)).toBe('COMPLETED')
  })

  it('a reference network with a late report', async () => {
    const { body } = await world.shop.post('/api/v2/mb/pay', { amount: 12, currency: 'EUR', type: 'PAYMENT' })
    const { entity, ref } = body.mb
    await chaos('POST', { rail: 'references', trouble: 'down', wallet_id: world.shop.wallet_id })
    const paid = await money.sandbox('references/pay', { entity, ref, amount: 12 })
    expect(paid.status).toBe(503)
    expect(await statusOf(body.id)).toBe('PENDING')
    await chaos('DELETE')
    expect(await resolved(body.id)).toBe('COMPLETED')
  })

  it('an issuer that is down', async () => {
    await chaos('POST', { rail: 'issuer', trouble: 'down' })
    const checkout = await world.createCheckout()
    const page = await world.payOnPage(checkout, cards.frictionless)
    expect(page.text).not.toContain('Payment made')
    await chaos('DELETE')
    expect((await world.payOnPage(checkout, cards.frictionless)).text).toContain('Payment made')
    await becomes(checkout.payment.id, 'COMPLETED')
  })
})
