// Splits (SPEC.md "Split descriptor").
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authorizing, followUpsDeclined } from '../authorizing.ts'
import { openWorld } from '../gateway-here.ts'
import { newPhone } from '../phone.ts'
import { askToPay, payByToken, storeCard } from '../stored-cards.ts'
import { type Answer, cards, type Json, type Merchant, type World } from '../world.ts'

let world: World
let token: string
let a: Merchant
let b: Merchant
let c: string

beforeAll(async () => {
  world = await openWorld()
  a = world.merchant('Sub Shop A')
  b = world.merchant('Sub Shop B')
  c = world.merchant('Plain Shop').public_id
  token = await storeCard(world, cards.frictionless.number)
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await world.stop()
})

const split = (id: string, body: unknown): Promise<Answer> =>
  world.shop.post(`/api/v2/operations/${id}/split`, body)
const amountsOf = (operation: Json): string[] =>
  operation.splits.elements.map(({ amount }: { amount: string }) => amount)
const balanceOf = (operation: Json, at: number): number =>
  operation.splits.elements[at].merchant_wallet.balance

/** The example of SPEC.md: three wallets, one with 0.5, the others 1/4 each. */
const threeWallets = () => [
  { merchant_wallet: a.public_id, amount_fraction: '0.5' },
  { merchant_wallet: b.public_id },
  { merchant_wallet: c, descr: 'Delivery' },
]

describe('a payment that is made with a split', () => {
  it('is divided when it completes, and everyone sees their share', async () => {
    const paid = await payByToken(world, token, { split: threeWallets(), ext_invoiceid: 'SPLIT-1' })
    expect(paid).toMatchObject({ status: 'COMPLETED', amount: 10, fee: -0.25, amount_net: 9.75 })
    const operation = await world.operation(paid.id)
    expect(paid.splits).toEqual(operation.splits)
    expect(operation.splits).toEqual({
      total: 3,
      elements: [a, b, world.merchant('Plain Shop')].map(({ name, public_id }, index) => ({
        merchant_wallet: { currency: 'EUR', name, balance: [4.87, 2.44, 2.44][index], public_id },
        amount: ['4.87', '2.44', '2.44'][index],
        fee_variable: '0.0000',
        fee_fixed: '0.00',
      })),
    })
    const { elements } = (await a.get('/api/v2/operations?ext_invoiceid=SPLIT-1')).body
    expect(elements).toMatchObject([
      {
        type: 'USERTRANSFER',
        status: 'COMPLETED',
        method: 'CC',
        amount: 4.87,
        fee: 0,
        amount_net: 4.87,
        refundable: false,
        parent: paid.id,
        merchant: { id: String(a.wallet_id) },
      },
    ])
    expect((await a.get(`/api/v2/operations/${paid.id}`)).status).toBe(404)
    const delivered = await world.merchant('Plain Shop').get('/api/v2/operations?ext_invoiceid=SPLIT-1')
    expect(delivered.body.elements[0]).toMatchObject({ amount: 2.44, notes: 'Delivery' })
    const [listed] = (await world.shop.get(`/api/v2/operations?id=${paid.id}`)).body.elements
    expect(listed.splits).toEqual(operation.splits)
  })

  it('keeps the fees of each share for the owner: the descriptor’s, else the wallet’s own', async () => {
    const fees = ['--split-fee-fixed', '0.30', '--split-fee-variable', '0.1']
    expect((await world.cli('merchant', 'set', b.public_id, ...fees)).code).toBe(0)
    const descriptors = [
      { merchant_wallet: a.public_id, amount: '5', fee_fixed: 0.1, fee_variable: '0.05' },
      { merchant_wallet: b.public_id, amount_fraction: '1/4' },
    ]
    const paid = await payByToken(world, token, { split: descriptors })
    const none = ['--split-fee-fixed', '0', '--split-fee-variable', '0']
    expect((await world.cli('merchant', 'set', b.public_id, ...none)).code).toBe(0)
    const operation = await world.operation(paid.id)
    // 0.95 × 1/2 × 9.75 − 0.10 = 4.53125 and 0.9 × 1/4 × 9.75 − 0.30 = 1.89375
    expect(operation.splits.elements).toMatchObject([
      { amount: '4.53', fee_variable: '0.0500', fee_fixed: '0.10' },
      { amount: '1.89', fee_variable: '0.1000', fee_fixed: '0.30' },
    ])
  })

  it('on a checkout, is divided when the customer has paid', async () => {
    const payment = { amount: 20, currency: 'EUR', split: threeWallets() }
    const checkout = await world.createCheckout({ payment })
    expect(checkout.payment).not.toHaveProperty('splits')
    await world.payOnPage(checkout, cards.frictionless)
    const operation = await world.eventually(async () => {
      const read = await world.operation(checkout.payment.id)
      return read.status === 'COMPLETED' && read
    })
    // 20.00 minus 0.35: 9.825, 4.9125 and 4.9125
    expect(amountsOf(operation)).toEqual(['9.83', '4.91', '4.91'])
    const read = (await world.shop.get(`/api/v2/checkout/${checkout.id}`)).body
    expect(read.payment.splits).toEqual(operation.splits)
  })

  it('by bank reference, is divided when the reference is paid; its fee is 0.50', async () => {
    const asked = { amount: 10, currency: 'EUR', method: 'MB', type: 'PAYMENT', split: threeWallets() }
    const { body, status } = await world.shop.post('/api/v2/mb/pay', asked)
    expect(status).toBe(200)
    await world.request('/sandbox/api/references/pay', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ entity: body.mb.entity, ref: body.mb.ref, amount: 10 }),
    })
    expect(amountsOf(await world.operation(body.id))).toEqual(['4.75', '2.38', '2.37'])
    const refused = await world.shop.post(`/api/v2/operations/${body.id}/refund`)
    expect(refused).toMatchObject({ status: 409, body: { code: 40010 } })
  })

  it('by phone, is divided once approved there, and given back there', async () => {
    const phone = newPhone(world)
    const { body } = await world.shop.post('/api/v2/payment', {
      method: 'MBWAY',
      type: 'PAYMENT',
      amount: 10,
      currency: 'EUR',
      mbway: { phone: phone.number },
      split: threeWallets(),
    })
    await phone.approve(body.id)
    const operation = await world.eventually(async () => {
      const read = await world.operation(body.id)
      return read.status === 'COMPLETED' && read
    })
    // 9.85 after the fee of 0.15: 4.925, 2.4625 and 2.4625
    expect(amountsOf(operation)).toEqual(['4.93', '2.46', '2.46'])
    const refunded = await world.shop.post(`/api/v2/operations/${body.id}/refund`, { amount: 4 })
    expect(refunded.body).toMatchObject({ status: 'COMPLETED', method: 'MBWAY', amount: -4 })
    const rest = await world.shop.post(`/api/v2/operations/${body.id}/refund`)
    expect(rest.body).toMatchObject({ status: 'COMPLETED', amount: -6 })
  })

  it('that a declined card never paid moves nothing', async () => {
    const declined = await storeCard(world, cards.declined.number)
    const before = (await a.get('/api/v2/operations')).body.total
    const { status, body } = await askToPay(world, declined, { split: threeWallets() })
    expect(status).toBe(402)
    expect(await world.operation(body.operation_id)).not.toHaveProperty('splits')
    expect((await a.get('/api/v2/operations')).body.total).toBe(before)
  })

  it('with a silent acquirer is split after the answer', async () => {
    const silent = await storeCard(world, cards.silentThenApproved.number)
    const { body } = await askToPay(world, silent, { split: threeWallets() })
    expect(body.status).toBe('PENDING')
    await world.advance('PT1M')
    expect(amountsOf(await world.operation(body.id))).toEqual(['4.87', '2.44', '2.44'])
  })
})

describe('a manual split', () => {
  it('answers the calculation first, and does the same then', async () => {
    const paid = await payByToken(world, token)
    const body = { split: threeWallets() }
    const dry = await world.shop.post(`/api/v2/operations/${paid.id}/split?dry_run=true`, body)
    expect(dry.status).toBe(200)
    expect(dry.body).toMatchObject({
      id: paid.id,
      dry_run: true,
      calculation: {
        amount: '10.00',
        fee: '0.25',
        net: '9.75',
        shares: [
          { merchant_wallet: a.public_id, fraction: '1/2', exact: '39/8', rounded: '4.88', lost_cent: true },
          {
            merchant_wallet: b.public_id,
            fraction: '1/4',
            exact: '39/16',
            rounded: '2.44',
            lost_cent: false,
          },
          { merchant_wallet: c, amount: '2.44' },
        ],
        owner: '0.00',
      },
    })
    expect(await world.operation(paid.id)).not.toHaveProperty('splits')

    const before = balanceOf((await split(paid.id, body)).body, 0)
    const operation = await world.operation(paid.id)
    expect(amountsOf(operation)).toEqual(
      dry.body.calculation.shares.map(({ amount }: { amount: string }) => amount),
    )
    expect(dry.body.splits).toMatchObject({
      total: 3,
      elements: operation.splits.elements.map(({ amount, merchant_wallet }: Json) => ({
        amount,
        merchant_wallet: { name: merchant_wallet.name, public_id: merchant_wallet.public_id },
      })),
    })
    expect(balanceOf(operation, 0)).toBe(before)
    expect(await split(paid.id, body)).toMatchObject({ status: 409, body: { code: 40017 } })
  })

  it('tells of another wallet what the payment gave it, and nothing of its balance', async () => {
    const plain = world.merchant('Plain Shop')
    const funds = async () => (await plain.get('/api/v2/balance')).body.balance
    const seen = (answer: Answer) => balanceOf(answer.body, 0)
    const paid = await payByToken(world, token)
    const body = { split: [{ merchant_wallet: c, amount: 4 }] }
    const dry = () => split(paid.id, { ...body, dry_run: true })
    const before = [seen(await dry()), await funds()]
    const sale = await plain.post('/api/v2/checkout', {
      payment: { amount: 123.45, currency: 'EUR' },
      url_confirm: world.receiver.url('/confirm'),
      url_cancel: world.receiver.url('/cancel'),
    })
    await world.payOnPage(sale.body, cards.frictionless)
    await world.eventually(async () => (await funds()) !== before[1])
    expect(seen(await dry())).toBe(before[0])
    expect(seen(await dry())).toBe(3.9)
    expect(seen(await split(paid.id, body))).toBe(3.9)
    // The refund has reduced the amount.
    expect((await world.shop.post(`/api/v2/operations/${paid.id}/refund`, { amount: 5 })).status).toBe(200)
    const left = await world.operation(paid.id)
    expect([amountsOf(left), balanceOf(left, 0)]).toEqual([['3.90'], 1.95])
  })

  it('does nothing either when the body says that it is a dry run', async () => {
    const paid = await payByToken(world, token)
    const body = { split: threeWallets() }
    expect((await split(paid.id, { ...body, dry_run: true })).body).toMatchObject({ dry_run: true })
    expect(await split(paid.id, { ...body, dry_run: 'maybe' })).toMatchObject({ body: { code: 10002 } })
    expect((await world.operation(paid.id)).splits).toBeUndefined()
    expect((await split(paid.id, { ...body, dry_run: false })).body.splits.total).toBe(3)
  })

  it('takes fractions as a program prints them', async () => {
    const paid = await payByToken(world, token)
    const thirds = [a.public_id, b.public_id, c].map((merchant_wallet, index) => ({
      merchant_wallet,
      amount_fraction: [1 / 3, String(1 / 3), '0.3333333333333333333333333333'][index],
      fee_fixed: 0,
      fee_variable: 0,
    }))
    expect(amountsOf((await split(paid.id, { split: thirds })).body)).toEqual(['3.25', '3.25', '3.25'])
  })

  it('keeps no card number that a descriptor holds', async () => {
    const descr = `card ${cards.frictionless.number}`
    const body = { split: [{ merchant_wallet: a.public_id, descr }] }
    const refused = {
      status: 400,
      body: { code: 10002, reason: 'split[0].descr must not hold a card number' },
    }
    const paid = await payByToken(world, token)
    expect(await split(paid.id, body)).toMatchObject(refused)
    expect(await askToPay(world, token, body)).toMatchObject(refused)
    const phone = newPhone(world).number
    const byPhone = {
      method: 'MBWAY',
      type: 'PAYMENT',
      amount: 10,
      currency: 'EUR',
      mbway: { phone },
      ...body,
    }
    expect(await world.shop.post('/api/v2/payment', byPhone)).toMatchObject(refused)
    const byReference = { method: 'MB', type: 'PAYMENT', amount: 10, currency: 'EUR', ...body }
    expect(await world.shop.post('/api/v2/mb/pay', byReference)).toMatchObject(refused)
    const onPage = {
      payment: { amount: 10, currency: 'EUR', ...body },
      url_confirm: 'https://shop.example/ok',
      url_cancel: 'https://shop.example/no',
    }
    expect((await world.shop.post('/api/v2/checkout', onPage)).body).toMatchObject({
      code: 10002,
      reason: 'payment.split[0].descr must not hold a card number',
    })
    expect((await world.shop.post(`/api/v2/operations/${paid.id}/refund`, body)).body.code).toBe(10002)
  })

  it('happens once under one request_id, and answers alike', async () => {
    const paid = await payByToken(world, token)
    const body = { split: threeWallets(), request_id: randomUUID() }
    const first = await split(paid.id, body)
    const again = await split(paid.id, body)
    expect(again).toMatchObject({ status: 200, text: first.text })
    const other = await split(paid.id, { ...body, split: [{ merchant_wallet: a.public_id }] })
    expect(other).toMatchObject({ status: 422, body: { code: 10015 } })
  })

  it.each<[string, () => Promise<string>, number, number]>([
    [
      'of a payment made with a split',
      async () => (await payByToken(world, token, { split: threeWallets() })).id,
      409,
      40017,
    ],
    [
      'of a refunded payment',
      async () => {
        const paid = await payByToken(world, token)
        await world.shop.post(`/api/v2/operations/${paid.id}/refund`, { amount: 1 })
        return paid.id
      },
      409,
      40017,
    ],
    ['of a payment that waits', async () => (await world.createCheckout()).payment.id, 409, 40017],
    [
      'of an authorization',
      async () => (await askToPay(world, token, {}, '/prows/v2/authorization')).body.id,
      409,
      40017,
    ],
    ['of nothing', async () => randomUUID(), 404, 10004],
    ['of what is no id', async () => 'x', 404, 10004],
  ])('%s is refused', async (_, operation, status, code) => {
    expect(await split(await operation(), { split: threeWallets() })).toMatchObject({
      status,
      body: { code },
    })
  })

  it.each([undefined, {}, { split: null }])('needs a split: %j', async (body) => {
    const refused = { code: 10001, reason: expect.stringContaining('split is required') }
    expect((await split((await payByToken(world, token)).id, body)).body).toMatchObject(refused)
  })

  it('is refused without the right marketplace, and finds no other wallet’s operation', async () => {
    const paid = await payByToken(world, token)
    const byOther = await a.post(`/api/v2/operations/${paid.id}/split`, { split: threeWallets() })
    expect(byOther).toMatchObject({ status: 403, body: { code: 20002 } })
    const noShare = await a.post('/api/v2/checkout', {
      payment: { amount: 1, currency: 'EUR', split: [{ merchant_wallet: b.public_id }] },
      url_confirm: 'https://a.example/ok',
      url_cancel: 'https://a.example/no',
    })
    expect(noShare).toMatchObject({ status: 403, body: { code: 20002 } })
  })

  it('needs a key with split, on payments too', async () => {
    const { json } = await world.cli(
      'key',
      'create',
      String(world.shop.wallet_id),
      '--permissions',
      'checkout,operations',
    )
    const authorization = `Comporta ${json.api_key ?? json.key}`
    const paid = await payByToken(world, token)
    for (const [path, body] of [
      [`/api/v2/operations/${paid.id}/split`, { split: threeWallets() }],
      [
        '/api/v2/checkout',
        {
          payment: { amount: 1, currency: 'EUR', split: threeWallets() },
          url_confirm: 'https://a.example/ok',
          url_cancel: 'https://a.example/no',
        },
      ],
    ] as const) {
      const answer = await world.shop.post(path, body, { authorization })
      expect(answer).toMatchObject({ status: 403, body: { code: 20002 } })
    }
  })
})

/** One broken rule of `split` in each row, with the name in the reason. */
const brokenRules: [string, () => unknown, string, string][] = [
  ['no array', () => ({ merchant_wallet: a.public_id }), '', 'must be an array'],
  ['101 descriptors', () => Array.from({ length: 101 }, () => ({})), '', '1 to 100'],
  ['an invalid descriptor', () => [a.public_id], '[0]', 'must be a split descriptor'],
  ['no wallet', () => [{ amount: 1 }], '[0].merchant_wallet', 'is required'],
  ['a wallet of another type', () => [{ merchant_wallet: 7 }], '[0].merchant_wallet', 'public id'],
  [
    'an unknown wallet',
    () => [{ merchant_wallet: a.public_id, amount: 1 }, { merchant_wallet: 'Unknown123456789' }],
    '[1].merchant_wallet',
    'a merchant',
  ],
  [
    'the caller’s own wallet',
    () => [{ merchant_wallet: world.shop.public_id }],
    '[0].merchant_wallet',
    'must not',
  ],
  [
    'a wallet twice',
    () => [{ merchant_wallet: a.public_id }, { merchant_wallet: a.public_id }],
    '[1].merchant_wallet',
    'once',
  ],
  [
    'amount and fraction',
    () => [{ merchant_wallet: a.public_id, amount: 1, amount_fraction: '0.1' }],
    '[0]',
    'not both',
  ],
  ['amount 0', () => [{ merchant_wallet: a.public_id, amount: 0 }], '[0].amount', '0.01'],
  ['a negative amount', () => [{ merchant_wallet: a.public_id, amount: -1 }], '[0].amount', '0.01'],
  ['3 decimals', () => [{ merchant_wallet: a.public_id, amount: 1.001 }], '[0].amount', '2 decimals'],
  ['no number', () => [{ merchant_wallet: a.public_id, amount: 'much' }], '[0].amount', 'number'],
  ['more than was paid', () => [{ merchant_wallet: a.public_id, amount: 10.01 }], '[0].amount', '10.00'],
  [
    'amounts above the payment',
    () => [
      { merchant_wallet: a.public_id, amount: 6 },
      { merchant_wallet: b.public_id, amount: 6 },
    ],
    '',
    'more than the whole',
  ],
  ...['0', '1.1', '1/0', '-1/2', 'half', '3/2', ''].map(
    (fraction): [string, () => unknown, string, string] => [
      `fraction ${JSON.stringify(fraction)}`,
      () => [{ merchant_wallet: a.public_id, amount_fraction: fraction }],
      '[0].amount_fraction',
      'above 0 and at most 1',
    ],
  ),
  ...[`0.${'3'.repeat(31)}`, '1/3000000000000'].map((fraction): [string, () => unknown, string, string] => [
    `fraction ${fraction}`,
    () => [{ merchant_wallet: a.public_id, amount_fraction: fraction }],
    '[0].amount_fraction',
    '30 decimals',
  ]),
  [
    'fractions above 1',
    () => [
      { merchant_wallet: a.public_id, amount_fraction: '2/3' },
      { merchant_wallet: b.public_id, amount_fraction: '0.3334' },
    ],
    '',
    'more than the whole',
  ],
  [
    'nothing left for a share without an amount',
    () => [{ merchant_wallet: a.public_id, amount_fraction: 1 }, { merchant_wallet: b.public_id }],
    '[1]',
    'leave nothing',
  ],
  [
    'fee_fixed below 0',
    () => [{ merchant_wallet: a.public_id, fee_fixed: -0.1 }],
    '[0].fee_fixed',
    'negative',
  ],
  [
    'fee_fixed of 3 decimals',
    () => [{ merchant_wallet: a.public_id, fee_fixed: 0.001 }],
    '[0].fee_fixed',
    '2 decimals',
  ],
  [
    'fee_variable above 1',
    () => [{ merchant_wallet: a.public_id, fee_variable: 1.1 }],
    '[0].fee_variable',
    '0 to 1',
  ],
  [
    'fee_variable below 0',
    () => [{ merchant_wallet: a.public_id, fee_variable: -0.1 }],
    '[0].fee_variable',
    '0 to 1',
  ],
  [
    'fee_variable of 5 decimals',
    () => [{ merchant_wallet: a.public_id, fee_variable: '0.00001' }],
    '[0].fee_variable',
    '4 decimals',
  ],
  ['descr of 256', () => [{ merchant_wallet: a.public_id, descr: 'x'.repeat(256) }], '[0].descr', '255'],
  ['descr no text', () => [{ merchant_wallet: a.public_id, descr: 5 }], '[0].descr', '255'],
  [
    'a share below zero',
    () => [{ merchant_wallet: a.public_id, amount: 1, fee_fixed: 0.98 }],
    '[0].fee_fixed',
    'must not exceed the share',
  ],
]

describe('a broken rule of the descriptor', () => {
  it('empty: 40018 by hand, and no split where it is paid', async () => {
    const paid = (await askToPay(world, token, { split: [] })).body
    expect(paid).toMatchObject({ status: 'COMPLETED' })
    const reason = 'split must hold 1 to 100 descriptors'
    expect((await split(paid.id, { split: [] })).body).toMatchObject({ code: 40018, reason })
  })

  it.each(brokenRules)('%s: 40018 in each place', async (_, value, field, rule) => {
    const sent = value()
    const paid = await payByToken(world, token)
    const answers: [string, Answer][] = [
      [`split${field}`, await askToPay(world, token, { split: sent })],
      [`split${field}`, await split(paid.id, { split: sent })],
      [
        `payment.split${field}`,
        await world.shop.post('/api/v2/checkout', {
          payment: { amount: 10, currency: 'EUR', split: sent },
          url_confirm: 'https://shop.example/ok',
          url_cancel: 'https://shop.example/no',
        }),
      ],
    ]
    for (const [place, { status, body }] of answers) {
      expect(body).toMatchObject({ code: 40018, reason: expect.stringContaining(rule) })
      expect(body.reason.startsWith(place)).toBe(true)
      expect(status).toBe(400)
    }
  })
})

describe('an authorization with a split', () => {
  const { authorize, accept, capture, release, read } = authorizing(() => world)

  /** Half to A; of an authorization of 100.00 a fixed 30.00 to B, with a fixed fee of 1.01. */
  const halfAndFixed = () => [
    { merchant_wallet: a.public_id, amount_fraction: '1/2', fee_fixed: 0, fee_variable: 0 },
    { merchant_wallet: b.public_id, amount: 30, fee_fixed: 1.01, fee_variable: 0 },
  ]
  const captured = async (id: string, body?: unknown): Promise<Json> => {
    const answer = await capture(id, body)
    expect(answer).toMatchObject({ status: 200, body: { type: 'CAPTURE', status: 'COMPLETED' } })
    return answer.body
  }
  const centsOf = (operations: readonly Json[], at: number): number =>
    operations.reduce((sum, operation) => sum + Math.round(Number(amountsOf(operation)[at]) * 100), 0)

  it('is divided with each capture, in its proportion, and over all captures to the cent', async () => {
    const held = await authorize(token, 100, { split: halfAndFixed() })
    expect(held).not.toHaveProperty('splits')
    const first = await captured(held.id, { amount: 33.33 })
    // 33.33 minus 0.48: 16.425, and 9.855 minus a third of 1.01.
    expect(first.splits).toMatchObject({
      total: 2,
      elements: [
        { merchant_wallet: { public_id: a.public_id }, amount: '16.43', fee_fixed: '0.00' },
        { merchant_wallet: { public_id: b.public_id }, amount: '9.52', fee_fixed: '0.34' },
      ],
    })
    const rest = [await captured(held.id, { amount: 33.33 }), await captured(held.id)]
    const captures = [first, ...rest]
    // 98.56 after the gateway's fees: 49.28, and 29.568 minus 1.01.
    expect([centsOf(captures, 0), centsOf(captures, 1)]).toEqual([4928, 2856])
    expect(captures.map(({ splits }) => splits.elements[1].fee_fixed)).toEqual(['0.34', '0.33', '0.34'])
    const authorization = await read(held.id)
    expect(authorization).not.toHaveProperty('splits')
    expect(authorization.captures.map(amountsOf)).toEqual(captures.map(amountsOf))
    expect(amountsOf(await world.operation(first.id))).toEqual(amountsOf(first))
  })

  it('gives each sub-merchant a transfer per capture', async () => {
    const held = await authorize(token, 10, { split: threeWallets() })
    const ext_invoiceid = randomUUID()
    const { id } = await captured(held.id, { ext_invoiceid })
    const { elements } = (await a.get(`/api/v2/operations?ext_invoiceid=${ext_invoiceid}`)).body
    expect(elements).toMatchObject([{ type: 'USERTRANSFER', status: 'COMPLETED', amount: 4.87, parent: id }])
  })

  it('on a checkout, is divided when what the customer allowed is captured', async () => {
    const { id, status } = await accept({ amount: 20, split: threeWallets() })
    expect(status).toBe('COMPLETED')
    // 20.00 minus 0.35: 9.825, 4.9125 and 4.9125.
    expect(amountsOf(await captured(id))).toEqual(['9.83', '4.91', '4.91'])
  })

  it('by phone, is divided when it is captured', async () => {
    const phone = newPhone(world)
    const asked = { method: 'MBWAY', type: 'AUTH', amount: 10, currency: 'EUR', split: threeWallets() }
    const { body } = await world.shop.post('/api/v2/payment', { ...asked, mbway: { phone: phone.number } })
    await phone.approve(body.id)
    await world.eventually(async () => (await read(body.id)).status === 'COMPLETED')
    // 4.00 minus 0.06: 1.97, 0.985 and 0.985. The later of two equal roundings loses the cent.
    expect(amountsOf(await captured(body.id, { amount: 4 }))).toEqual(['1.97', '0.99', '0.98'])
  })

  it('splits nothing of a release', async () => {
    const held = await authorize(token, 100, { split: halfAndFixed() })
    expect((await release(held.id, { amount: 50 })).status).toBe(200)
    // 49.35 after the gateway's fee: half of it, and 3/10 minus half of 1.01.
    expect(amountsOf(await captured(held.id))).toEqual(['24.68', '14.30'])
    expect(await capture(held.id)).toMatchObject({ status: 409, body: { code: 40015 } })
  })

  it('of which a capture is declined moves nothing', async () => {
    const declined = await storeCard(world, followUpsDeclined)
    const held = await authorize(declined, 10, { split: threeWallets() })
    const before = (await a.get('/api/v2/operations')).body.total
    const { status, body } = await capture(held.id, { amount: 5 })
    expect(status).toBe(402)
    expect(await world.operation(body.operation_id)).not.toHaveProperty('splits')
    expect((await a.get('/api/v2/operations')).body.total).toBe(before)
  })

  it('gives its captures back (a) in proportion, (b) from those listed and (c) from the owner', async () => {
    const held = await authorize(token, 30, { split: threeWallets() })
    const [one, two, three] = [
      await captured(held.id, { amount: 10 }),
      await captured(held.id, { amount: 10 }),
      await captured(held.id, { amount: 10 }),
    ]
    const refund = async (id: string, body: object) => {
      const ext_invoiceid = randomUUID()
      const answer = await world.shop.post(`/api/v2/operations/${id}/refund`, { ...body, ext_invoiceid })
      expect(answer).toMatchObject({ status: 200, body: { status: 'COMPLETED' } })
      const taken = [a, b, world.merchant('Plain Shop')].map(async (merchant) => {
        const { elements } = (await merchant.get(`/api/v2/operations?ext_invoiceid=${ext_invoiceid}`)).body
        return elements.reduce((sum: number, { amount }: Json) => sum + Math.round(amount * 100), 0)
      })
      return Promise.all(taken)
    }
    const dry = await world.shop.post(`/api/v2/operations/${one.id}/refund?dry_run=true`, { amount: 5 })
    expect(dry.body).toMatchObject({ dry_run: true, calculation: { source: 'proportion' } })
    const shares = amountsOf(one).map((amount) => -Math.round(Number(amount) * 100))
    await refund(one.id, { amount: 5 })
    const again = await refund(one.id, {})
    expect(again.every((cents, at) => cents > (shares[at] as number) && cents < 0)).toBe(true)
    expect(await world.operation(one.id)).toMatchObject({ refundable: false })
    expect(await refund(two.id, { amount: 1, split: [{ merchant_wallet: b.public_id }] })).toEqual([
      0, -100, 0,
    ])
    expect(await refund(three.id, { split: [] })).toEqual([0, 0, 0])
  })

  it('captured without a split can be divided by hand, once, after a dry run', async () => {
    const held = await authorize(token, 20)
    const taken = await captured(held.id, { amount: 10 })
    const body = { split: threeWallets() }
    const dry = await world.shop.post(`/api/v2/operations/${taken.id}/split?dry_run=true`, body)
    expect(dry.body).toMatchObject({ dry_run: true, calculation: { net: '9.75' } })
    expect(dry.body.postings[0]).toMatchObject({
      debit: { account: 'merchant' },
      credit: { account: 'merchant', public_id: expect.any(String) },
    })
    expect(amountsOf((await split(taken.id, body)).body)).toEqual(['4.87', '2.44', '2.44'])
    expect(await split(taken.id, body)).toMatchObject({ status: 409, body: { code: 40017 } })
    const again = await captured(held.id)
    expect(again).not.toHaveProperty('splits')
    expect((await read(held.id)).captures.map(({ splits }: Json) => splits?.total)).toEqual([3, undefined])
  })

  it('captured with a split cannot be divided by hand', async () => {
    const held = await authorize(token, 10, { split: threeWallets() })
    const taken = await captured(held.id, { amount: 5 })
    const refused = {
      status: 409,
      body: { code: 40017, reason: expect.stringContaining('made with a split') },
    }
    expect(await split(taken.id, { split: threeWallets() })).toMatchObject(refused)
  })

  it('gives a share nothing while its part of the fixed fee is more than it brings', async () => {
    const dear = [{ merchant_wallet: a.public_id, amount_fraction: 1, fee_fixed: 5, fee_variable: 0 }]
    const held = await authorize(token, 10, { split: dear })
    // 0.20 minus 0.15, and a fiftieth of 5.00; then 9.80 minus 0.25, and 5.00 in all.
    expect(amountsOf(await captured(held.id, { amount: 0.2 }))).toEqual(['0.00'])
    expect(amountsOf(await captured(held.id))).toEqual(['4.60'])
  })

  it('with a silent capture splits it after the answer', async () => {
    const silent = await storeCard(world, cards.silentThenApproved.number)
    const held = await authorize(silent, 10, { split: threeWallets() })
    await world.advance('PT1M')
    const { body } = await capture(held.id)
    expect(body).toMatchObject({ type: 'CAPTURE', status: 'PENDING' })
    expect(body).not.toHaveProperty('splits')
    await world.advance('PT1M')
    expect(amountsOf(await world.operation(body.id))).toEqual(['4.87', '2.44', '2.44'])
  })
})
