// The SDK against a running gateway.
import {
  AuthenticationError,
  Comporta,
  ConflictError,
  DeclinedError,
  InvalidRequestError,
  NotFoundError,
  verifyCallback,
} from '@comporta/sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld } from '../gateway-here.ts'
import { storeCard } from '../stored-cards.ts'
import { cards, type World } from '../world.ts'

let world: World
let comporta: Comporta

beforeAll(async () => {
  world = await openWorld()
  comporta = clientOf()
})
afterAll(() => world.stop())

function clientOf(change: Partial<ConstructorParameters<typeof Comporta>[0]> = {}): Comporta {
  const { api_key, esb_token } = world.shop
  return new Comporta({ apiKey: api_key, baseUrl: world.baseUrl, esbToken: esb_token, ...change })
}

const urls = { url_confirm: 'https://shop.example/ok', url_cancel: 'https://shop.example/no' }
const newCard = {
  name: 'Ana Silva',
  number: '4176660000000027',
  vcode: '123',
  valdate: '12/2030',
  email: 'a@b.pt',
}
const cardReturn = {
  callback: 'https://shop.example/callbacks',
  cardsecure_url_confirm: urls.url_confirm,
  cardsecure_url_cancel: urls.url_cancel,
}

async function payment(amount: string) {
  const checkout = await comporta.checkouts.create({ payment: { amount, currency: 'EUR' }, ...urls })
  await world.payOnPage(checkout, cards.frictionless)
  return (await comporta.checkouts.get(checkout.id)).payment
}

describe('the surface', () => {
  it('has a method for every operation of the API, and no other', async () => {
    const called: string[] = []
    const client = clientOf({
      fetch: async (url, init) => {
        called.push(`${init?.method} ${new URL(String(url)).pathname}`)
        if (/mandate/.test(String(url)) && init?.method === 'DELETE') return new Response('')
        return new Response('{"total":0,"elements":[],"events":[],"requests":[],"next":""}')
      },
    })
    for (const group of Object.values(client)) {
      const names = Object.getOwnPropertyNames(Object.getPrototypeOf(group))
      for (const name of names.filter((name) => name !== 'constructor')) await group[name]('1', '2')
    }
    const { paths } = (await world.request('/openapi.json')).body
    const wanted = Object.entries<object>(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(
        (method) =>
          `${method.toUpperCase()} ${path.replace(/\{(charge_id|event_id|method)\}/, '2').replace(/\{\w+\}/, '1')}`,
      ),
    )
    expect(called.sort()).toEqual(wanted.sort())
  })

  it.each([
    [{ apiKey: '' }, 'apiKey is required'],
    [{ apiKey: 'cmp_test_hidden\n' }, 'apiKey must be of visible ASCII characters'],
    [{ esbToken: 'hidden\r\nx: y' }, 'esbToken must be of visible ASCII characters'],
    [{ authScheme: 'Comp orta' }, 'authScheme must be of visible ASCII characters'],
    [{ baseUrl: 'pay.example' }, 'baseUrl must be the address'],
    [{ baseUrl: 'http://u:hidden@pay.example' }, 'baseUrl must have no name and no password'],
    [{ baseUrl: 'https://pay.example/?hidden=1' }, 'baseUrl must have no ? and no #'],
    [{ baseUrl: 'https://pay.example/#hidden' }, 'baseUrl must have no ? and no #'],
    [{ timeout: Number.NaN }, 'timeout must be a number of at least 0, and is NaN'],
    [{ totalTimeout: -1 }, 'totalTimeout must be a number of at least 0'],
    [{ retries: '3' as never }, 'retries must be a number of at least 0'],
  ])('refuses %s at once, and quotes no secret', (change, reason) => {
    let refusal: unknown
    try {
      clientOf(change)
    } catch (error) {
      refusal = error
    }
    expect(refusal).toBeInstanceOf(TypeError)
    expect(String(refusal)).toContain(reason)
    expect(String(refusal)).not.toContain('hidden')
  })

  it.each([
    [{ requestId: 'a\nb' }, 'requestId must be of visible ASCII characters'],
    [{ timeout: Number.NaN }, 'timeout must be a number'],
  ])('refuses %s for a call before anything is sent', async (options, reason) => {
    const client = clientOf({
      fetch: () => {
        throw new Error('it was sent')
      },
    })
    const call = client.operations.refund(crypto.randomUUID(), undefined, options)
    await expect(call).rejects.toThrow(reason)
    await expect(call).rejects.toBeInstanceOf(TypeError)
  })

  it('takes times that no timer can wait', async () => {
    const client = clientOf({ timeout: 1e12, totalTimeout: Number.POSITIVE_INFINITY })
    expect(await client.account.balance()).toMatchObject({ currency: 'EUR' })
  })
})

describe('a payment', () => {
  it('is made, paid, refunded and found again, to the cent', async () => {
    const paid = await payment('10.10')
    expect(paid).toMatchObject({ status: 'COMPLETED', amount: '10.10', method: 'CC' })
    const { id } = paid ?? { id: '' }
    const dry = await comporta.operations.refund(id, { type: 'partial', amount: '0.30' }, { dry_run: true })
    expect(dry).toMatchObject({ amount: '-0.30' })
    const refund = await comporta.operations.refund(id, { type: 'partial', amount: '0.30' })
    expect(refund).toMatchObject({ type: 'REFUND', amount: '-0.30', parent: id })
    const { total, elements } = await comporta.operations.list({ parent: id })
    expect([total, elements[0]?.id]).toEqual([1, refund.id])
  })

  it('writes every amount with two decimals, and texts as they are', async () => {
    const checkout = await comporta.checkouts.create({
      payment: {
        amount: 99_999.9,
        currency: 'EUR',
        items: [{ ref: '12345678901234567890', name: 'Ring', qt: 1, amount: '0.125' }],
      },
      ...urls,
    })
    expect(checkout.payment?.amount).toBe('99999.90')
    const read = await comporta.operations.get(checkout.payment?.id ?? '')
    expect(read).toMatchObject({ amount: '99999.90', fee: '0.00', amount_net: '99999.90' })
    expect(Object.keys(await comporta.account.balance())).toContain('available')
  })

  it('by card needs the ESB token, which the client sends', async () => {
    const asked = { method: 'CC', amount: 5, currency: 'EUR', ...cardReturn, newCard } as const
    const pending = await comporta.cards.pay(asked)
    expect(pending).toMatchObject({ status: 'PENDING', cardsecure_url_redirect: expect.any(String) })
    const refused = clientOf({ esbToken: 'wrong' }).cards.pay(asked)
    await expect(refused).rejects.toMatchObject({ code: 20_004, name: 'AuthenticationError' })
  })
})

describe('a list', () => {
  it('has every record once, page after page, also while others are made', async () => {
    const made: string[] = []
    const link = () => comporta.paymentLinks.create({ description: 'A workshop', amount: 1 })
    for (let count = 0; count < 5; count += 1) made.unshift((await link()).id)
    const found: string[] = []
    for await (const { id } of comporta.paymentLinks.list({ limit: 2 })) {
      if (found.length === 1) await link()
      found.push(id)
    }
    expect(found).toEqual(made)
    const pages: number[] = []
    for await (const { elements } of comporta.paymentLinks.list({ limit: 4 }).pages())
      pages.push(elements.length)
    expect(pages).toEqual([4, 2])
  })

  it('of events continues from its last position', async () => {
    await payment('1.00')
    const kinds: string[] = []
    let next = ''
    for await (const page of comporta.events.list({ limit: 1 }).pages()) {
      kinds.push(...page.events.map(({ kind, body }) => `${kind} ${'amount' in body ? body.amount : ''}`))
      next = page.next
    }
    expect(kinds).toContain('operation 1.00')
    expect((await comporta.events.list({ after: next })).events).toEqual([])
  })
})

describe('an error', () => {
  it.each([
    [
      'a wrong key',
      AuthenticationError,
      20_005,
      () => clientOf({ apiKey: `${world.shop.api_key.slice(0, -6)}000000` }).account.balance(),
    ],
    [
      'no amount',
      InvalidRequestError,
      10_001,
      () => comporta.checkouts.create({ payment: { currency: 'EUR' }, ...urls } as never),
    ],
    [
      'a third decimal',
      InvalidRequestError,
      10_002,
      () => comporta.checkouts.create({ payment: { amount: 0.305, currency: 'EUR' }, ...urls }),
    ],
    ['an unknown record', NotFoundError, 10_004, () => comporta.operations.get(crypto.randomUUID())],
    [
      'a refund of an unpaid operation',
      ConflictError,
      40_010,
      async () => {
        const { payment } = await comporta.checkouts.create({
          payment: { amount: 1, currency: 'EUR' },
          ...urls,
        })
        return comporta.operations.refund(payment?.id ?? '')
      },
    ],
  ] as const)('for %s is of its family, with code, reason and tid', async (_, Family, code, call) => {
    const error = await Promise.resolve(call()).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(error).toBeInstanceOf(Family)
    expect(error).toMatchObject({ code, attempts: 1, link: `${world.baseUrl}/docs/errors#${code}` })
    expect((error as NotFoundError).reason).not.toBe('')
    expect((error as NotFoundError).tid).toMatch(/^[\da-f-]{36}$/)
  })

  it.each(['', '.', '..'])('is thrown for the id "%s", which would lead elsewhere', async (id) => {
    await expect(comporta.operations.get(id)).rejects.toThrow('id must name a record')
  })

  it('of a declined card names the operation that failed', async () => {
    const token = await storeCard(world, cards.declined.number)
    const declined = await comporta.cards
      .pay({ method: 'CC', amount: '66.05', currency: 'EUR', ...cardReturn, card: { token } })
      .catch((error: unknown) => error)
    expect(declined).toBeInstanceOf(DeclinedError)
    const { code, operationId, attempts } = declined as DeclinedError
    expect([code, attempts]).toEqual([30_007, 1])
    expect(await comporta.operations.get(operationId ?? '')).toMatchObject({ status: 'FAIL' })
  })
})

describe('verifyCallback', () => {
  it('gives the body of a genuine callback, exact, and of no other', async () => {
    const paid = await payment('12.30')
    const callback = await world.eventually(async () =>
      world.receiver.received('/callbacks').find(({ body }) => body.includes(paid?.id ?? '?')),
    )
    const secret = world.shop.callback_signing_secret
    const body = verifyCallback(callback.body, callback.headers, secret)
    if (!('operation_id' in body)) throw new Error('it is not of an operation')
    expect([body.operation_id, body.operation_status, body.amount]).toEqual([paid?.id, 'COMPLETED', '12.30'])
    const old = `whsec_${Buffer.from('another secret of 24 bytes').toString('base64')}`
    const headers = new Headers(callback.headers as Record<string, string>)
    expect(verifyCallback(Buffer.from(callback.body), headers, [old, secret])).toEqual(body)
    for (const secrets of [
      ['', secret],
      [secret, ''],
      ['no Base64 at all!', secret],
      ['whsec_', secret],
    ])
      expect(verifyCallback(callback.body, callback.headers, secrets)).toEqual(body)
    const parsed = JSON.parse(callback.body) as never
    expect(() => verifyCallback(parsed, callback.headers, secret)).toThrow(
      expect.objectContaining({ name: 'CallbackError', message: expect.stringContaining('express.raw()') }),
    )
    for (const secrets of ['', [], ['', ' ']])
      expect(() => verifyCallback(callback.body, callback.headers, secrets)).toThrow(
        expect.objectContaining({ name: 'CallbackError', message: 'no signing secret was given' }),
      )
    // Headers of another library or realm.
    expect(verifyCallback(callback.body, new Map([...headers]) as never, secret)).toEqual(body)
    for (const missing of [undefined, null, '', 5])
      expect(() => verifyCallback(callback.body, missing as never, secret)).toThrow(
        expect.objectContaining({ name: 'CallbackError', message: expect.stringContaining('headers') }),
      )
    const changed = callback.body.replace('12.3', '12.4')
    for (const [text, given, secrets] of [
      [changed, callback.headers, secret],
      [callback.body, callback.headers, old],
      [callback.body, callback.headers, []],
      [callback.body, {}, secret],
      [callback.body, { ...callback.headers, 'webhook-timestamp': '1700000000' }, secret],
    ] as const)
      expect(() => verifyCallback(text, given, secrets)).toThrow(
        expect.objectContaining({ name: 'CallbackError' }),
      )
  })
})
