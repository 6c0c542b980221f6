// The card API (SPEC.md "Card API").
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPage, type Page, submit } from '../browserless.ts'
import { openWorld } from '../gateway-here.ts'
import { type Answer, cards, type Json, type World } from '../world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await world.stop()
})

const esb = () => ({ 'proxy-authorization': `ESBToken=${world.shop.esb_token}` })
const newCard = {
  number: cards.frictionless.number,
  name: 'Ana Silva',
  vcode: '123',
  valdate: '12/2030',
  email: 'ana@example.com',
}

function payment(change: Record<string, unknown> = {}) {
  return {
    amount: 10,
    currency: 'EUR',
    method: 'CC',
    callback: world.receiver.url('/operation'),
    cardsecure_url_confirm: world.receiver.url('/confirm'),
    cardsecure_url_cancel: world.receiver.url('/cancel'),
    newCard,
    ...change,
  }
}

function toStore(change: Record<string, unknown> = {}) {
  const { cardsecure_url_confirm, cardsecure_url_cancel } = payment()
  return { cardsecure_url_confirm, cardsecure_url_cancel, newCard, request_id: randomUUID(), ...change }
}

const post = (path: string, body: unknown, headers: Record<string, string> = esb()): Promise<Answer> =>
  world.shop.post(path, body, headers)

/** Follows the browser from the gateway to the merchant. */
async function authenticate(url: string, otp = ''): Promise<Page> {
  let page = await openPage(url)
  for (let step = 0; step < 8 && page.url.startsWith(world.baseUrl); step++) {
    const form = page.forms.find(({ action }) => /\/secure\/|\/challenge|\/3ds\/return\//.test(action))
    if (form === undefined) return page
    page = await submit(page, form, 'otp' in form.fields ? { otp } : {})
  }
  return page
}

async function storeCard(number: string = newCard.number): Promise<string> {
  const body = toStore({ newCard: { ...newCard, number } })
  const stored = await post('/prows/v2/creditcard', body)
  expect(stored.status).toBe(200)
  await authenticate(stored.body.cardsecure_url_redirect)
  return (await world.shop.get(`/api/v2/requests/${body.request_id}`)).body.token
}

describe.each([
  ['payment', 'PAYMENT'],
  ['authorization', 'AUTH'],
])('a card %s with plain data', (path, type) => {
  it('waits for the customer until the confirmation', async () => {
    const { status, body } = await post(`/prows/v2/${path}`, payment({ ext_invoiceid: 'CA-1' }))
    expect(status).toBe(200)
    expect(body).toMatchObject({
      type,
      status: 'PENDING',
      method: 'CC',
      amount: 10,
      ext_invoiceid: 'CA-1',
      cardsecure_url_redirect: expect.stringContaining(world.baseUrl),
      cardsecure_url_confirm: world.receiver.url('/confirm'),
    })
    const page = await authenticate(body.cardsecure_url_redirect)
    expect(page.url).toBe(world.receiver.url('/confirm'))
    const operation = await world.operation(body.id)
    expect(operation).toMatchObject({ status: 'COMPLETED', card: { last4: '0027' } })
    expect(operation.fee).toBe(type === 'AUTH' ? 0 : -0.25)
    const callback = await world.eventually(async () =>
      world.receiver.received('/operation').find((callback) => callback.body.includes(body.id)),
    )
    expect(JSON.parse(callback.body)).toMatchObject({ event: 'COMPLETED', type })
  })

  it('with a challenge: the right code confirms', async () => {
    const challenged = payment({ newCard: { ...newCard, number: cards.challenge.number } })
    const { body } = await post(`/prows/v2/${path}`, challenged)
    expect((await authenticate(body.cardsecure_url_redirect, '0101')).url).toBe(
      world.receiver.url('/confirm'),
    )
    expect(await world.operation(body.id)).toMatchObject({ status: 'COMPLETED' })
  })
})

describe('the address the customer is sent to', () => {
  it('charges nothing when it is opened: link previews and prefetching open it too', async () => {
    const { body } = await post('/prows/v2/payment', payment())
    for (const method of ['HEAD', 'GET', 'HEAD']) {
      const opened = await world.request(body.cardsecure_url_redirect, { method, redirect: 'manual' })
      expect(opened.status).toBe(200)
    }
    await world.advance('PT1M')
    expect(await world.operation(body.id)).toMatchObject({ status: 'PENDING' })
    expect((await authenticate(body.cardsecure_url_redirect)).url).toBe(world.receiver.url('/confirm'))
    expect(await world.operation(body.id)).toMatchObject({ status: 'COMPLETED' })
  })

  it('lets no other site pay for the customer', async () => {
    const { body } = await post('/prows/v2/payment', payment())
    const posted = await world.request(body.cardsecure_url_redirect, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'cross-site' },
      body: 'compInd=Y',
    })
    expect(posted.status).toBe(303)
    expect(await world.operation(body.id)).toMatchObject({ status: 'PENDING' })
  })
})

it.each([
  ['declined', cards.declined.number],
  ['rejected by its issuer', cards.rejected.number],
])('a card that is %s ends the payment, and the customer at cardsecure_url_cancel', async (_, number) => {
  const { body } = await post('/prows/v2/payment', payment({ newCard: { ...newCard, number } }))
  expect((await authenticate(body.cardsecure_url_redirect)).url).toBe(world.receiver.url('/cancel'))
  expect(await world.operation(body.id)).toMatchObject({ status: 'FAIL', fee: 0 })
})

describe('a stored card', () => {
  it('gets a token, causes a callback, is read, pays again at once, and is deleted', async () => {
    const body = toStore()
    const stored = await post('/prows/v2/creditcard', body)
    expect(stored.body).toEqual({
      cardsecure_url_redirect: expect.stringContaining(`${world.baseUrl}/secure/`),
    })
    const pending = (await world.shop.get(`/api/v2/requests/${body.request_id}`)).body
    expect(pending).toMatchObject({ request_id: body.request_id, status: 'PENDING', method: 'GET' })
    const followed = await world.shop.get(pending.href)
    expect(followed).toMatchObject({ status: 200, body: pending })
    expect((await authenticate(stored.body.cardsecure_url_redirect)).url).toBe(world.receiver.url('/confirm'))

    const request = (await world.shop.get(`/api/v2/requests/${body.request_id}`)).body
    expect(request).toMatchObject({ status: 'COMPLETED', token: expect.stringMatching(/^[0-9A-F-]{36}$/) })
    const { token } = request
    expect(request.href).toBe(`${world.baseUrl}/prows/v2/creditcard/${token}`)
    const callback = await world.eventually(async () =>
      world.receiver.received('/callbacks').find((callback) => callback.body.includes(body.request_id)),
    )
    expect(JSON.parse(callback.body)).toEqual({
      type: 'ADD_CARD',
      event: 'COMPLETED',
      token,
      request_id: body.request_id,
    })
    expect((await world.shop.post('/api/v2/callback/verify', callback.body)).text).toBe('true')

    const read = await world.shop.get(`/prows/v2/creditcard/${token}`, esb())
    expect(read.body).toEqual({
      token,
      name: 'Ana Silva',
      last4: '0027',
      type: 'visa',
      valdate: '12/2030',
      bin: '417666',
      expired: false,
      verification_status: 'VERIFIED',
      voided: false,
    })

    const again = await post('/prows/v2/payment', payment({ newCard: undefined, card: { token } }))
    expect(again.body).toMatchObject({ status: 'COMPLETED', type: 'PAYMENT', fee: -0.25, card: { token } })
    expect(again.body).not.toHaveProperty('cardsecure_url_redirect')
    const reserved = await post(
      '/prows/v2/authorization',
      payment({ newCard: undefined, card: { token: token.toLowerCase() } }),
    )
    expect(reserved.body).toMatchObject({ status: 'COMPLETED', type: 'AUTH', fee: 0 })

    const deleted = await world.request(`/prows/v2/creditcard/${token}`, {
      method: 'DELETE',
      headers: { authorization: `Comporta ${world.shop.api_key}`, ...esb() },
    })
    expect(deleted).toMatchObject({ status: 200, text: 'true' })
    const after = (await world.shop.get(`/prows/v2/creditcard/${token}`, esb())).body
    expect(after).toMatchObject({ voided: true })
    expect(after).not.toHaveProperty('name')
    const refused = await post('/prows/v2/payment', payment({ newCard: undefined, card: { token } }))
    expect(refused).toMatchObject({ status: 409, body: { code: 10013 } })
  })

  it('has a token that the page’s address does not reveal', async () => {
    const body = toStore({ newCard: { ...newCard, number: '5555555555554444' } })
    const stored = await post('/prows/v2/creditcard', body)
    await authenticate(stored.body.cardsecure_url_redirect)
    const { token } = (await world.shop.get(`/api/v2/requests/${body.request_id}`)).body
    expect(token).toMatch(/^[0-9A-F-]{36}$/)
    expect(stored.text.toUpperCase()).not.toContain(token)
    const read = await world.shop.get(`/prows/v2/creditcard/${token}`, esb())
    expect(read.body).toMatchObject({ token, last4: '4444' })
  })

  it('shows its token only to keys with the permission for cards', async () => {
    const body = toStore({ newCard: { ...newCard, number: '5105105105105100' } })
    const stored = await post('/prows/v2/creditcard', body)
    await authenticate(stored.body.cardsecure_url_redirect)
    const { token } = (await world.shop.get(`/api/v2/requests/${body.request_id}`)).body
    const wallet = String(world.shop.wallet_id)
    const { json } = await world.cli('key', 'create', wallet, '--permissions', 'checkout,operations')
    const authorization = `Comporta ${json.api_key}`
    const asked = await world.request(`/api/v2/requests/${body.request_id}`, { headers: { authorization } })
    expect(asked.body).toEqual({
      request_id: body.request_id,
      status: 'COMPLETED',
      method: 'GET',
      href: `${world.baseUrl}/api/v2/requests/${body.request_id}`,
    })
    expect(asked.text.toUpperCase()).not.toContain(token)
  })

  it('is reported to the address for cards where the wallet has one', async () => {
    const setAddress = (card_callback_url: string) =>
      world.request(`/sandbox/api/merchants/${world.shop.wallet_id}/callback-url`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ card_callback_url }),
      })
    await setAddress(world.receiver.url('/cards'))
    await storeCard()
    const [callback] = await world.receiver.waitFor('/cards', 1)
    expect(JSON.parse(callback?.body ?? '')).toMatchObject({ type: 'ADD_CARD', event: 'COMPLETED' })
    await setAddress('')
  })

  it('that the wallet stored before keeps its token', async () => {
    const number = '5555555555554444'
    expect(await storeCard(number)).toBe(await storeCard(number))
  })

  it('of a holder who was not authenticated is not stored', async () => {
    const body = toStore({ newCard: { ...newCard, number: cards.rejected.number } })
    const stored = await post('/prows/v2/creditcard', body)
    expect((await authenticate(stored.body.cardsecure_url_redirect)).url).toBe(world.receiver.url('/cancel'))
    expect((await world.shop.get(`/api/v2/requests/${body.request_id}`)).body).toMatchObject({
      status: 'FAIL',
    })
    const callback = await world.eventually(async () =>
      world.receiver.received('/callbacks').find((callback) => callback.body.includes(body.request_id)),
    )
    expect(JSON.parse(callback.body)).toEqual({
      type: 'ADD_CARD',
      event: 'FAIL',
      request_id: body.request_id,
    })
  })

  it('that is declined answers 402 and names the operation', async () => {
    const token = await storeCard(cards.declined.number)
    const request = payment({ newCard: undefined, card: { token }, request_id: randomUUID() })
    const declined = await post('/prows/v2/payment', request)
    expect(declined).toMatchObject({ status: 402, body: { code: 30007, operation_id: expect.any(String) } })
    expect(await world.operation(declined.body.operation_id)).toMatchObject({ status: 'FAIL' })
    const again = await post('/prows/v2/payment', request)
    expect(again.status).toBe(402)
    expect(again.text).toBe(declined.text)
  })

  it('with a silent acquirer stays pending until the acquirer answers', async () => {
    const token = await storeCard(cards.silentThenApproved.number)
    const { body, status } = await post('/prows/v2/payment', payment({ newCard: undefined, card: { token } }))
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'PENDING' })
    await world.advance('PT1M')
    expect(await world.operation(body.id)).toMatchObject({ status: 'COMPLETED' })
  })
})

it('takes null for absent in optional fields, as clients send that write every field of their model', async () => {
  const nothing = { items: null, client: null, method: null, ext_email: null, request_id: null }
  const plain = payment({ ...nothing, card: null, newCardSecure: null })
  expect(await post('/prows/v2/payment', plain)).toMatchObject({ status: 200, body: { status: 'PENDING' } })
  const client = { name: null, phone: null, address: null }
  const items = [{ name: 'Tea', descr: null, ref: null, qt: null, amount: null }]
  const inner = payment({ newCard: { ...newCard, phone: null, address: null }, client, items })
  expect(await post('/prows/v2/payment', inner)).toMatchObject({ status: 200, body: { status: 'PENDING' } })
  const stored = await post('/prows/v2/creditcard', toStore({ newCardSecure: null }))
  expect(stored).toMatchObject({ status: 200 })
  const token = await storeCard()
  const byToken = payment({ card: { token }, newCard: null, newCardSecure: null })
  expect(await post('/prows/v2/payment', byToken)).toMatchObject({ status: 200 })
  const none = payment({ card: null, newCard: null, newCardSecure: null })
  expect(await post('/prows/v2/payment', none)).toMatchObject({ status: 400, body: { code: 10001 } })
})

describe('refusals', () => {
  it.each<[string, Record<string, unknown>, number, number, string]>([
    ['two forms of card', { card: { token: randomUUID() } }, 400, 10002, 'exactly one of newCard'],
    ['no form of card', { newCard: undefined }, 400, 10001, 'one of newCard'],
    ['an unknown token', { newCard: undefined, card: { token: randomUUID() } }, 404, 10004, 'token'],
    ['an invalid token', { newCard: undefined, card: { token: 'x' } }, 404, 10004, 'token'],
    [
      'a wrong check digit',
      { newCard: { ...newCard, number: '4176660000000028' } },
      400,
      10002,
      'newCard.number',
    ],
    ['no number', { newCard: { ...newCard, number: undefined } }, 400, 10001, 'newCard.number'],
    ['no name of the owner', { newCard: { ...newCard, name: undefined } }, 400, 10001, 'newCard.name'],
    ['no expiry', { newCard: { ...newCard, valdate: undefined } }, 400, 10001, 'newCard.valdate'],
    [
      'an expiry that is no month',
      { newCard: { ...newCard, valdate: '13/2030' } },
      400,
      10002,
      'newCard.valdate',
    ],
    ['a past expiry', { newCard: { ...newCard, valdate: '01/2020' } }, 400, 10002, 'newCard.valdate'],
    ['no security code', { newCard: { ...newCard, vcode: undefined } }, 400, 10001, 'newCard.vcode'],
    ...['4176 6600 0000 0027', 'A 4176.6600.0000.0027', '٤١٧٦٦٦٠٠٠٠٠٠٠٠٢٧'].map(
      (name): [string, Record<string, unknown>, number, number, string] => [
        `a name that holds a card number: ${name}`,
        { newCard: { ...newCard, name } },
        400,
        10002,
        'newCard.name',
      ],
    ),
    ['neither e-mail nor phone', { newCard: { ...newCard, email: undefined } }, 400, 10001, 'newCard.email'],
    [
      'an invalid e-mail address',
      { newCard: { ...newCard, email: 'ana at example' } },
      400,
      10002,
      'newCard.email must be an e-mail address',
    ],
    [
      'an invalid e-mail address together with a phone',
      { newCard: { ...newCard, email: 'x', phone: '+351911111111' } },
      400,
      10002,
      'newCard.email',
    ],
    ['no callback', { callback: undefined }, 400, 10001, 'callback'],
    ['a callback that is no address', { callback: 'here' }, 400, 10002, 'callback'],
    [
      'no cardsecure_url_confirm',
      { cardsecure_url_confirm: undefined },
      400,
      10001,
      'cardsecure_url_confirm',
    ],
    ['no cardsecure_url_cancel', { cardsecure_url_cancel: undefined }, 400, 10001, 'cardsecure_url_cancel'],
    ['another method', { method: 'MB' }, 400, 10002, 'method must be CC'],
    [
      'garbage for secure fields',
      { newCard: undefined, newCardSecure: { ...newCard, number: 'x' } },
      400,
      10002,
      'newCardSecure.number',
    ],
  ])('%s', async (_, change, status, code, reason) => {
    const answer = await post('/prows/v2/payment', payment(change))
    expect(answer.body).toMatchObject({ code, reason: expect.stringContaining(reason) })
    expect(answer.status).toBe(status)
    expect(answer.text).not.toContain('417666')
  })

  it.each<[string, () => Promise<Answer>, number, number]>([
    ['no ESB token', () => post('/prows/v2/payment', payment(), {}), 401, 20004],
    [
      'a wrong ESB token',
      () => post('/prows/v2/payment', payment(), { 'proxy-authorization': 'ESBToken=x' }),
      401,
      20004,
    ],
    [
      'a wallet without the right',
      () => world.merchant('Plain Shop').post('/prows/v2/payment', payment(), esb()),
      403,
      20002,
    ],
  ])('%s', async (_, call, status, code) => {
    expect(await call()).toMatchObject({ status, body: { code } })
  })

  it('plain data without the permission or the right', async () => {
    const { json } = await world.cli(
      'key',
      'create',
      String(world.shop.wallet_id),
      '--permissions',
      'card,operations',
    )
    const key: string = json.api_key ?? json.key
    const answer = await post('/prows/v2/payment', payment(), { ...esb(), authorization: `Comporta ${key}` })
    expect(answer).toMatchObject({
      status: 403,
      body: { code: 20002, reason: expect.stringContaining('newCard') },
    })
  })

  it('storing without a request_id', async () => {
    const answer = await post('/prows/v2/creditcard', toStore({ request_id: undefined }))
    expect(answer).toMatchObject({ status: 400, body: { code: 10001 } })
    const key = { 'idempotency-key': randomUUID() }
    const byHeader = () =>
      post('/prows/v2/creditcard', toStore({ request_id: undefined }), { ...esb(), ...key })
    const stored = await byHeader()
    expect(stored.status, stored.text).toBe(200)
    expect(await byHeader()).toMatchObject({ status: 200, text: stored.text })
  })

  it('leaves no operation behind', async () => {
    const before: Json = (await world.shop.get('/api/v2/operations')).body.total
    await post('/prows/v2/payment', payment({ newCard: { ...newCard, number: '4176660000000028' } }))
    await post(
      '/prows/v2/payment',
      payment({ newCard: undefined, newCardSecure: { ...newCard, number: 'x' } }),
    )
    expect((await world.shop.get('/api/v2/operations')).body.total).toBe(before)
  })
})

it('repeats the first answer of a request_id, for cards as for tokens', async () => {
  const token = await storeCard()
  for (const change of [{ newCard }, { newCard: undefined, card: { token } }]) {
    const invoice = `ONCE-${randomUUID().slice(0, 8)}`
    const request = payment({ ...change, request_id: randomUUID(), ext_invoiceid: invoice })
    const answers = await Promise.all(Array.from({ length: 10 }, () => post('/prows/v2/payment', request)))
    const first = answers.filter(({ status }) => status === 200)
    expect(new Set(first.map(({ text }) => text)).size).toBe(1)
    for (const { status, body } of answers) if (status !== 200) expect(body).toMatchObject({ code: 10014 })
    const { total } = (await world.shop.get(`/api/v2/operations?ext_invoiceid=${invoice}`)).body
    expect(total).toBe(1)
    expect((await post('/prows/v2/payment', request)).text).toBe(first[0]?.text)
  }
})

it('knows a repeated request by its card, and keeps nothing of the security code', async () => {
  const request = payment({ request_id: randomUUID() })
  const first = await post('/prows/v2/payment', request)
  const otherCode = await post('/prows/v2/payment', { ...request, newCard: { ...newCard, vcode: '321' } })
  expect(otherCode).toMatchObject({ status: 200, text: first.text })
  const number = cards.frictionlessMastercard.number
  const otherCard = await post('/prows/v2/payment', { ...request, newCard: { ...newCard, number } })
  expect(otherCard).toMatchObject({ status: 422, body: { code: 10015 } })
})

// This test is the last one, because it moves the clock by two months.
it('a stored card has expired when its month is over', async () => {
  const { now } = (await world.request('/sandbox/api/clock')).body
  const [year, month] = [Number(now.slice(0, 4)), Number(now.slice(5, 7))]
  const valdate = month === 12 ? `01/${year + 1}` : `${String(month + 1).padStart(2, '0')}/${year}`
  const body = toStore({ newCard: { ...newCard, number: cards.frictionlessMastercard.number, valdate } })
  await authenticate((await post('/prows/v2/creditcard', body)).body.cardsecure_url_redirect)
  const { token } = (await world.shop.get(`/api/v2/requests/${body.request_id}`)).body
  const read = async () => (await world.shop.get(`/prows/v2/creditcard/${token}`, esb())).body
  expect(await read()).toMatchObject({ valdate, expired: false })
  await world.advance('P63D')
  expect(await read()).toMatchObject({ valdate, expired: true })
})
