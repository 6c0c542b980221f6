// Outcome of each test card (CONTRACT section 8).
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formTo, openPage, submit } from '../browserless.ts'
import { openWorld } from '../gateway-here.ts'
import { cards, type World } from '../world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.stop())

const callbacksOf = (operationId: string) =>
  world.receiver.received('/callbacks').filter(({ body }) => body.includes(operationId))

describe('a card that is refused', () => {
  it.each([
    ['4000000000000002', /declined|refused/i],
    ['4000000000009995', /not enough money/i],
    ['4000000000000069', /expired/i],
    ['4000000000000127', /security code|CVV/i],
    ['4000000000003063', /bank|confirm|reject/i],
  ])('%s: the page says why and takes another card', async (number, words) => {
    const checkout = await world.createCheckout()
    const refused = await world.payOnPage(checkout, { number })
    expect(refused.text).toMatch(words)
    expect(refused.html).not.toContain(number)
    expect(await world.operation(checkout.payment.id)).toMatchObject({
      status: 'PENDING',
      method: 'CC',
      fee: 0,
    })
    expect(callbacksOf(checkout.payment.id)).toEqual([])

    const paid = await world.payOnPage(checkout, cards.frictionless)
    expect(paid.links).toContain(`https://shop.example/ok?checkoutid=${checkout.id}`)
    const operation = await world.operation(checkout.payment.id)
    expect(operation).toMatchObject({ status: 'COMPLETED', card: { last4: '0027' } })
    expect(operation).not.toHaveProperty('error')
  })
})

describe('a challenge', () => {
  it('fails after three wrong codes, and another attempt pays', async () => {
    const checkout = await world.createCheckout()
    let page = await openPage(checkout.url_redirect)
    page = await submit(page, formTo(page, '/card'), {
      number: cards.challenge.number,
      name: 'Ana',
      expiry: '12/30',
      vcode: '123',
    })
    for (const part of ['/bank', '/challenge']) {
      if (page.forms.some(({ action }) => action.includes(part)))
        page = await submit(page, formTo(page, part))
    }
    for (let wrong = 0; wrong < 3; wrong++) {
      const otpForm = page.forms.find(({ fields }) => 'otp' in fields)
      expect(otpForm).toBeDefined()
      if (otpForm !== undefined) page = await submit(page, otpForm, { otp: '9999' })
    }
    page = await submit(page, formTo(page, '/3ds/return/'))
    expect(page.url).toContain(`/checkout/${checkout.id}`)
    expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'PENDING' })
    const paid = await world.payOnPage(checkout, cards.challenge)
    expect(paid.html).toContain('https://shop.example/ok')
  })

  it("pays although the browser never comes back: the issuer's own message counts", async () => {
    const checkout = await world.createCheckout()
    const threeDsId = await startChallenge(checkout)
    expect((await world.request(`/sandbox/api/challenges/${threeDsId}`)).body).toMatchObject({
      currency: 'EUR',
    })
    const answer = await post(`/sandbox/api/challenges/${threeDsId}/answer`, { otp: '0101' })
    expect(answer).toMatchObject({ status: 200 })
    const operation = await world.eventually(async () => {
      const read = await world.operation(checkout.payment.id)
      return read.status === 'COMPLETED' && read
    })
    expect(operation).toMatchObject({ card: { last4: '0092' } })
  })

  it('does not pay because a browser says so: cres and the return are never trusted', async () => {
    const checkout = await world.createCheckout()
    const threeDsId = await startChallenge(checkout)
    const cres = Buffer.from(
      JSON.stringify({ messageType: 'CRes', threeDSServerTransID: threeDsId, transStatus: 'Y' }),
    ).toString('base64url')
    const page = await openPage(
      `${world.baseUrl}/3ds/return/${threeDsId}`,
      {},
      {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `cres=${cres}`,
      },
    )
    expect(page.url).toContain(checkout.id)
    expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'PENDING' })
    const forged = await post(`/3ds/results/${threeDsId}/guess`, rreq(threeDsId))
    expect(forged.status).toBe(404)
    expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'PENDING' })
  })

  it("does not pay on a report that is right in everything but the secret of the issuer's address", async () => {
    const checkout = await world.createCheckout()
    // Everything that the browser receives about the challenge.
    const { threeDSServerTransID: id, acsTransID } = await challengeOf(checkout)
    const report = { ...rreq(id), acsTransID }
    const guesses = ['', 'guess', 'A'.repeat(43), encodeURIComponent(id), acsTransID]
    for (const secret of guesses) {
      expect((await post(`/3ds/results/${id}/${secret}`, report)).status).toBe(404)
    }
    expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'PENDING' })
    await post(`/sandbox/api/challenges/${id}/answer`, { otp: '0101' })
    await world.eventually(async () => (await world.operation(checkout.payment.id)).status === 'COMPLETED')
  })

  it('of an abandoned attempt pays nothing, however late its answer comes', async () => {
    const checkout = await world.createCheckout({ payment: { amount: 20, currency: 'EUR' } })
    const threeDsId = await startChallenge(checkout)
    const paid = await world.payOnPage(checkout, cards.declined)
    expect(paid.text).toMatch(/declined|refused/i)
    await post(`/sandbox/api/challenges/${threeDsId}/answer`, { otp: '0101' })
    await world.advance('PT1M')
    expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'PENDING' })
  })

  it('no answer in time frees the checkout for another attempt', async () => {
    const checkout = await world.createCheckout()
    await startChallenge(checkout)
    await world.advance('PT16M')
    expect((await world.payOnPage(checkout, cards.frictionless)).html).toContain('https://shop.example/ok')
  })
})

describe('an acquirer that is silent', () => {
  it.each([
    [cards.silentThenApproved, 'COMPLETED'],
    [cards.silentThenDeclined, 'PENDING'],
  ])('%j leaves the payment pending until it answers', async ({ number }, status) => {
    const checkout = await world.createCheckout()
    const waiting = await world.payOnPage(checkout, { number })
    expect(waiting.forms.some(({ action }) => action.includes('/card'))).toBe(false)
    expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'PENDING' })
    expect((await world.shop.delete(`/api/v2/checkout/${checkout.id}`)).status).toBe(409)
    await world.advance('PT5M')
    await world.eventually(async () => {
      await world.advance('PT1M')
      const page = await openPage(checkout.url_redirect)
      return (
        page.html.includes('https://shop.example/ok') ||
        page.forms.some(({ action }) => action.includes('/card'))
      )
    })
    expect(await world.operation(checkout.payment.id)).toMatchObject({ status })
  })
})

it('pays once when Pay is clicked many times', async () => {
  const checkout = await world.createCheckout()
  const page = await openPage(checkout.url_redirect)
  const form = formTo(page, '/card')
  const fields = { number: cards.frictionless.number, name: 'Ana', expiry: '12/30', vcode: '123' }
  await Promise.all(Array.from({ length: 8 }, () => submit(page, form, fields)))
  await world.eventually(async () => (await world.operation(checkout.payment.id)).status === 'COMPLETED')
  const attempts = (await world.cli('audit')).json
  expect(attempts).toMatchObject({ ok: true, problems: [] })
})

it.each([
  ['cards alone', 0],
  ['other methods too', 1],
])('20 cards are tried for one payment and no more: the page says so, with %s', async (_, leftToPayWith) => {
  const others = ['MB', 'MBWAY', 'PAYPAL', 'WALLET', 'SEPA']
  const checkout = await world.createCheckout(leftToPayWith === 0 ? { exclude: others } : {})
  const page = await openPage(checkout.url_redirect)
  const tryCard = (number: string) => {
    const attempt = randomUUID()
    const typed = { attempt, number, name: 'Ana', expiry: '12/30', vcode: '123' }
    return submit(page, formTo(page, '/card'), typed)
  }
  for (let tried = 1; tried < 20; tried++)
    expect((await tryCard(cards.rejected.number)).text).toContain('Your bank refused the confirmation')
  expect((await tryCard(cards.rejected.number)).text).toContain('Too many cards were tried')
  const oneTooMany = await tryCard(cards.frictionless.number)
  expect(oneTooMany.text).toContain('Too many cards were tried')
  expect(oneTooMany.text).toContain(leftToPayWith === 0 ? 'Return to the shop' : 'Choose another method')
  if (leftToPayWith === 0)
    expect(oneTooMany.links).toContain(`https://shop.example/no?checkoutid=${checkout.id}`)
  else formTo(oneTooMany, '/cancel')
  expect(oneTooMany.forms.filter(({ action }) => action.includes('/card'))).toEqual([])
  const opened = await openPage(checkout.url_redirect, { language: 'pt' })
  expect(opened.text).toContain('Foram tentados demasiados cartões')
  expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'PENDING' })
})

it('never shows a card number or code again, from any field', async () => {
  const checkout = await world.createCheckout()
  const page = await openPage(checkout.url_redirect)
  const fields = { number: '4176660000000028', name: '4176660000000027', expiry: '13/30', vcode: '987' }
  const wrong = await submit(page, formTo(page, '/card'), fields)
  expect(wrong.status).toBe(422)
  expect(wrong.html).not.toContain('417666')
  // Looks for a separate number, because an id can contain the same digits.
  expect(wrong.html).not.toMatch(/(?<![\w-])987(?![\w-])/)
  expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'NEW' })
})

it('reports each payment to the merchant once', () => {
  const completed = world.receiver.received('/callbacks').map(({ body }) => JSON.parse(body))
  const ids = completed.filter(({ event }) => event === 'COMPLETED').map(({ operation_id }) => operation_id)
  expect(new Set(ids).size).toBe(ids.length)
})

async function post(path: string, body: unknown) {
  return world.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

/** Submits a card with a challenge and stops. Returns the id of the transaction. */
async function startChallenge(checkout: { url_redirect: string }): Promise<string> {
  return (await challengeOf(checkout)).threeDSServerTransID
}

/** Also returns the whole request for the issuer. */
async function challengeOf(checkout: {
  url_redirect: string
}): Promise<{ threeDSServerTransID: string; acsTransID: string }> {
  let page = await openPage(checkout.url_redirect)
  page = await submit(page, formTo(page, '/card'), {
    number: cards.challenge.number,
    name: 'Ana',
    expiry: '12/30',
    vcode: '123',
  })
  const method = page.forms.find(({ fields }) => 'compInd' in fields)
  if (method !== undefined) page = await submit(page, method)
  const { fields } = formTo(page, '/challenge')
  return JSON.parse(Buffer.from(fields.creq ?? '', 'base64url').toString())
}

function rreq(threeDsId: string) {
  return {
    messageType: 'RReq',
    messageVersion: '2.2.0',
    threeDSServerTransID: threeDsId,
    acsTransID: threeDsId,
    dsTransID: threeDsId,
    messageCategory: '01',
    transStatus: 'Y',
    eci: '05',
    authenticationValue: 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=',
  }
}
