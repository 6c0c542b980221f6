// Refunds (SPEC.md RefundRequest; CONTRACT section 10).
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld } from '../gateway-here.ts'
import { askToPay, payByToken, storeCard } from '../stored-cards.ts'
import { type Answer, cards, type Json, type Merchant, type World } from '../world.ts'

const refundsDeclined = '4000000000000341'
const refundsSilentThenDeclined = '4000000000000358'

let world: World
let token: string
let a: Merchant
let b: Merchant
let c: Merchant

beforeAll(async () => {
  world = await openWorld()
  a = world.merchant('Sub Shop A')
  b = world.merchant('Sub Shop B')
  c = world.merchant('Plain Shop')
  token = await storeCard(world, cards.frictionless.number)
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await world.stop()
})

const refund = (id: string, body?: unknown, query = ''): Promise<Answer> =>
  world.shop.post(`/api/v2/operations/${id}/refund${query}`, body)
const path = (id: string) => `/api/v2/operations/${id}`

describe('a refund', () => {
  it('gives everything back without a body, once', async () => {
    const paid = await payByToken(world, token, { ext_invoiceid: 'REF-1' })
    expect(paid.refundable).toBe(true)
    const { status, body } = await refund(paid.id)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      type: 'REFUND',
      status: 'COMPLETED',
      method: 'CC',
      amount: -10,
      amount_net: -10,
      fee: 0,
      parent: paid.id,
      refundable: false,
      card: { last4: '0027' },
    })
    expect(await world.operation(body.id)).toEqual(body)
    expect(await world.operation(paid.id)).toMatchObject({ refundable: false, status: 'COMPLETED' })
    const again = await refund(paid.id)
    expect(again).toMatchObject({
      status: 409,
      body: { code: 40010, reason: 'nothing is left to refund' },
    })
  })

  it('gives parts back until nothing is left', async () => {
    const paid = await payByToken(world, token)
    const part = { type: 'PARTIAL', amount: '2.50', ext_invoiceid: 'REF-2', notes: 'A broken cup' }
    expect((await refund(paid.id, part)).body).toMatchObject({
      amount: -2.5,
      ext_invoiceid: 'REF-2',
      notes: 'A broken cup',
    })
    expect(await world.operation(paid.id)).toMatchObject({ refundable: true })
    const tooMuch = await refund(paid.id, { amount: 7.51 })
    expect(tooMuch).toMatchObject({
      status: 409,
      body: { code: 40015, reason: 'amount must be at most 7.50' },
    })
    expect((await refund(paid.id, { amount: 0.01 })).body).toMatchObject({ amount: -0.01 })
    expect((await refund(paid.id, { type: 'full' })).body).toMatchObject({ amount: -7.49 })
    expect(await world.operation(paid.id)).toMatchObject({ refundable: false })
  })

  it('of a checkout’s payment goes to the card that paid', async () => {
    const checkout = await world.createCheckout()
    await world.payOnPage(checkout, cards.frictionlessMastercard)
    const { id } = checkout.payment
    await world.eventually(async () => (await world.operation(id)).status === 'COMPLETED')
    expect((await refund(id, { amount: 4 })).body).toMatchObject({
      status: 'COMPLETED',
      amount: -4,
      card: { last4: '0368' },
    })
  })

  it('gives back a capture, and no more than that capture', async () => {
    const held = (await askToPay(world, token, {}, '/prows/v2/authorization')).body
    expect(held.refundable).toBe(false)
    expect(await refund(held.id)).toMatchObject({ status: 409, body: { code: 40010 } })
    const captured = (await world.shop.post(`/api/v2/authorizations/${held.id}/capture`, { amount: 6 })).body
    expect(captured).toMatchObject({ type: 'CAPTURE', refundable: true })
    expect(await refund(captured.id, { amount: 6.01 })).toMatchObject({ body: { code: 40015 } })
    expect((await refund(captured.id)).body).toMatchObject({ status: 'COMPLETED', amount: -6 })
  })

  it('happens once under one request_id, and answers alike', async () => {
    const paid = await payByToken(world, token)
    const body = { amount: 1, request_id: randomUUID() }
    const first = await refund(paid.id, body)
    expect(await refund(paid.id, body)).toMatchObject({ status: 200, text: first.text })
    expect(await refund(paid.id, { ...body, amount: 2 })).toMatchObject({ body: { code: 10015 } })
    const request = (await world.shop.get(`/api/v2/requests/${body.request_id}`)).body
    expect(request).toMatchObject({ status: 'COMPLETED', href: `${world.baseUrl}${path(first.body.id)}` })
    expect((await refund(paid.id, { type: 'full' })).body.amount).toBe(-9)
  })

  it('answers what it would do, and does nothing, on a dry run', async () => {
    const paid = await payByToken(world, token)
    const { status, body } = await refund(paid.id, { amount: 3 }, '?dry_run=true')
    expect(status).toBe(200)
    expect(body).toMatchObject({ type: 'REFUND', amount: -3, parent: paid.id, dry_run: true })
    expect(body.calculation).toMatchObject({ amount: '3.00', owner: '3.00', shares: [] })
    expect(body.postings).toEqual([
      { debit: { account: 'merchant' }, credit: { account: 'clearing:CC' }, amount: 3 },
    ])
    expect((await world.shop.get(path(body.id))).status).toBe(404)
    const inBody = await refund(paid.id, { amount: 3, dry_run: true })
    expect(inBody.body).toMatchObject({ amount: -3, dry_run: true })
    expect((await refund(paid.id, { amount: 3, dry_run: 'maybe' })).body.code).toBe(10002)
    expect((await refund(paid.id)).body.amount).toBe(-10)
  })

  it('causes no callback, unless the wallet has self events', async () => {
    const callbackFor = (id: string) =>
      world.receiver.received('/operation').find(({ body }) => body.includes(id))
    const quiet = await payByToken(world, token)
    const silent = (await refund(quiet.id)).body
    await world.cli('merchant', 'set', world.shop.public_id, '--self-events', 'on')
    const paid = await payByToken(world, token)
    const reported = (await refund(paid.id)).body
    await world.cli('merchant', 'set', world.shop.public_id, '--self-events', 'off')
    const callback = await world.eventually(async () => callbackFor(`"operation_id":"${reported.id}"`))
    expect(JSON.parse(callback.body)).toMatchObject({
      type: 'REFUND',
      event: 'COMPLETED',
      amount: -10,
      parent_operation_id: paid.id,
    })
    expect(callbackFor(`"operation_id":"${silent.id}"`)).toBeUndefined()
  })

  it.each<[string, () => Promise<string>, unknown, number, number, string]>([
    ['an unknown operation', async () => randomUUID(), {}, 404, 10004, 'does not exist'],
    ['what is no id', async () => 'x', {}, 404, 10004, 'UUID'],
    ['a payment that waits', async () => (await world.createCheckout()).payment.id, {}, 409, 40010, 'NEW'],
    ['a refund', async () => refundedOnce(), {}, 409, 40010, 'only a PAYMENT or CAPTURE'],
    ['amount 0', async () => paidId(), { amount: 0 }, 400, 40009, '0.01'],
    ['a negative amount', async () => paidId(), { amount: -1 }, 400, 40009, '0.01'],
    ['3 decimals', async () => paidId(), { amount: 1.001 }, 400, 10002, '2 decimals'],
    ['partial of nothing named', async () => paidId(), { type: 'partial' }, 400, 10001, 'amount is required'],
    ['full of an amount', async () => paidId(), { type: 'full', amount: 5 }, 400, 10002, 'left out'],
    ['another type', async () => paidId(), { type: 'half' }, 400, 10002, 'full or partial'],
    [
      'wallets that share nothing',
      async () => paidId(),
      { split: [{ merchant_wallet: 'x' }] },
      400,
      40018,
      'split',
    ],
  ])('refuses %s', async (_, operation, body, status, code, reason) => {
    const answer = await refund(await operation(), body)
    expect(answer.body).toMatchObject({ code, reason: expect.stringContaining(reason) })
    expect(answer.status).toBe(status)
  })

  it('finds no other wallet’s operation, and needs a key with refund', async () => {
    const id = await paidId()
    expect(await a.post(`${path(id)}/refund`)).toMatchObject({ status: 404, body: { code: 10004 } })
    const wallet = String(world.shop.wallet_id)
    const { json } = await world.cli('key', 'create', wallet, '--permissions', 'operations')
    const authorization = `Comporta ${json.api_key ?? json.key}`
    const refused = await world.shop.post(`${path(id)}/refund`, {}, { authorization })
    expect(refused).toMatchObject({ status: 403, body: { code: 20002 } })
  })
})

describe('a refund that its acquirer', () => {
  it('declines answers 402, and gives back what it reserved', async () => {
    const paid = await payByToken(world, await storeCard(world, refundsDeclined))
    const declined = await refund(paid.id)
    expect(declined).toMatchObject({ status: 402, body: { code: 30007, operation_id: expect.any(String) } })
    expect(await world.operation(declined.body.operation_id)).toMatchObject({ status: 'FAIL', amount: -10 })
    expect(await world.operation(paid.id)).toMatchObject({ refundable: true })
  })

  it.each([
    ['silent, then approved', cards.silentThenApproved.number, 'COMPLETED', false],
    ['silent, then declined', refundsSilentThenDeclined, 'FAIL', true],
  ])(
    '%s: is PENDING, blocks a split, and is reported once it is known',
    async (_, number, end, refundable) => {
      const silent = await storeCard(world, number)
      const { id } = await payByToken(world, silent)
      await world.advance('PT1M')
      expect(await world.operation(id)).toMatchObject({ status: 'COMPLETED' })
      const { status, body } = await refund(id)
      expect(status).toBe(200)
      expect(body).toMatchObject({ type: 'REFUND', status: 'PENDING', amount: -10 })
      expect(await refund(id)).toMatchObject({ status: 409, body: { code: 40010 } })
      const split = await world.shop.post(`${path(id)}/split`, { split: [{ merchant_wallet: a.public_id }] })
      expect(split).toMatchObject({ status: 409, body: { code: 40016 } })
      await world.advance('PT1M')
      expect(await world.operation(body.id)).toMatchObject({ status: end })
      expect(await world.operation(id)).toMatchObject({ refundable })
      const callback = await world.eventually(async () =>
        world.receiver.received('/operation').find((one) => one.body.includes(`"operation_id":"${body.id}"`)),
      )
      expect(JSON.parse(callback.body)).toMatchObject({ event: end, type: 'REFUND' })
    },
  )
})

describe('a refund of a divided payment', () => {
  /** 9.75 after the fee: 4.87, 2.44 and 2.44. The owner pays the fee of 0.25. */
  const three = () => [
    { merchant_wallet: a.public_id, amount_fraction: '0.5' },
    { merchant_wallet: b.public_id },
    { merchant_wallet: c.public_id },
  ]
  const divided = async (change = {}) => payByToken(world, token, { split: three(), ...change })

  /** Amounts that a refund took from A, B and C. */
  async function takenFrom(body: Json, merchants = [a, b, c]): Promise<number[]> {
    const seen = merchants.map(async (merchant) => {
      const { elements } = (await merchant.get(`/api/v2/operations?ext_invoiceid=${body.ext_invoiceid}`)).body
      return elements.reduce((sum: number, { amount }: Json) => sum + Math.round(amount * 100), 0)
    })
    return Promise.all(seen)
  }
  async function refundNamed(id: string, body: object): Promise<Json> {
    const answer = await refund(id, { ...body, ext_invoiceid: randomUUID() })
    expect(answer.status).toBe(200)
    return answer.body
  }

  it('(a) without split takes from all in proportion, part after part, to exactly zero', async () => {
    const paid = await divided()
    const dry = (await refund(paid.id, { amount: 5 }, '?dry_run=true')).body.calculation
    expect(dry).toMatchObject({
      source: 'proportion',
      shares: [
        { merchant_wallet: a.public_id, received: '4.87', exact: '487/200', amount: '2.44', left: '2.43' },
        { merchant_wallet: b.public_id, received: '2.44', exact: '61/50', amount: '1.22' },
        { merchant_wallet: c.public_id, amount: '1.22' },
      ],
      owner: '0.12',
    })
    expect(await takenFrom(await refundNamed(paid.id, { amount: 5 }))).toEqual([-244, -122, -122])
    expect(await takenFrom(await refundNamed(paid.id, { amount: 0.01 }))).toEqual([0, 0, 0])
    expect(await takenFrom(await refundNamed(paid.id, {}))).toEqual([-243, -122, -122])
    expect(await world.operation(paid.id)).toMatchObject({ refundable: false })
  })

  it('(b) with split takes from the listed wallets, equally or by fraction, never more than they got', async () => {
    const paid = await divided()
    const listed = { split: [{ merchant_wallet: b.public_id }, { merchant_wallet: c.public_id }], amount: 2 }
    expect(await takenFrom(await refundNamed(paid.id, listed))).toEqual([0, -100, -100])
    const byFraction = {
      split: [
        { merchant_wallet: a.public_id, amount_fraction: '2/3' },
        { merchant_wallet: b.public_id, amount_fraction: '1/3' },
      ],
      amount: 1,
    }
    expect(await takenFrom(await refundNamed(paid.id, byFraction))).toEqual([-67, -33, 0])
    const tooMuch = await refund(paid.id, { amount: 1.12, split: [{ merchant_wallet: b.public_id }] })
    expect(tooMuch).toMatchObject({ status: 400, body: { code: 40018 } })
    expect(tooMuch.body.reason).toMatch(/split\[0\] must take at most 1\.11, .* share of 2\.44/)
    expect(await takenFrom(await refundNamed(paid.id, {}))).toEqual([-420, -111, -144])
  })

  it('(c) with an empty split takes from the owner alone', async () => {
    const paid = await divided()
    expect(await takenFrom(await refundNamed(paid.id, { amount: 3, split: [] }))).toEqual([0, 0, 0])
    // The owner has paid more than its share.
    expect(await takenFrom(await refundNamed(paid.id, {}))).toEqual([-350, -175, -175])
    expect(await world.operation(paid.id)).toMatchObject({ refundable: false })
  })

  it('of a manual split is the same', async () => {
    const paid = await payByToken(world, token)
    await world.shop.post(`${path(paid.id)}/split`, { split: three() })
    expect(await takenFrom(await refundNamed(paid.id, {}))).toEqual([-487, -244, -244])
  })

  it('shows sub-merchants what was taken, with their share as its parent', async () => {
    const invoice = randomUUID()
    const paid = await divided({ ext_invoiceid: invoice })
    const { body } = await refund(paid.id, { ext_invoiceid: `${invoice.slice(0, 30)}-back` })
    const [share] = (await a.get(`/api/v2/operations?ext_invoiceid=${invoice}`)).body.elements
    const [taken] = (await a.get(`/api/v2/operations?ext_invoiceid=${body.ext_invoiceid}`)).body.elements
    expect(taken).toMatchObject({
      type: 'USERTRANSFER',
      status: 'COMPLETED',
      amount: -4.87,
      parent: share.id,
    })
  })

  it.each<[string, () => unknown, string]>([
    ['a wallet without a share', () => [{ merchant_wallet: 'Unknown123456789' }], 'split[0].merchant_wallet'],
    ['the owner', () => [{ merchant_wallet: world.shop.public_id }], 'split[0].merchant_wallet'],
    ['no array', () => 'all', 'split must be an array'],
    [
      'a wallet twice',
      () => [{ merchant_wallet: a.public_id }, { merchant_wallet: a.public_id }],
      'split[1].merchant_wallet',
    ],
    [
      'fractions above 1',
      () => [
        { merchant_wallet: a.public_id, amount_fraction: '0.6' },
        { merchant_wallet: b.public_id, amount_fraction: '0.6' },
      ],
      'split must not total more',
    ],
  ])('refuses to take from %s', async (_, split, reason) => {
    const answer = await refund((await divided()).id, { amount: 1, split: split() })
    expect(answer).toMatchObject({ status: 400, body: { code: 40018 } })
    expect(answer.body.reason).toContain(reason)
  })

  it('that is declined gives back what it reserved of each share', async () => {
    const paid = await payByToken(world, await storeCard(world, refundsDeclined), { split: three() })
    for (let time = 0; time < 2; time++) {
      expect(
        await refund(paid.id, { split: [{ merchant_wallet: b.public_id }], amount: 2.44 }),
      ).toMatchObject({
        status: 402,
        body: { code: 30007 },
      })
    }
    expect((await refund(paid.id, { amount: 5 }, '?dry_run=true')).body.calculation.shares[1]).toMatchObject({
      refunded_before: '0.00',
    })
  })

  it('of a wallet that is no marketplace takes no list', async () => {
    const answer = await a.post(`${path(randomUUID())}/refund`, { split: [{ merchant_wallet: b.public_id }] })
    expect(answer).toMatchObject({ status: 403, body: { code: 20002 } })
  })
})

async function paidId(): Promise<string> {
  return (await payByToken(world, token)).id
}

async function refundedOnce(): Promise<string> {
  return (await refund(await paidId())).body.id
}
