// Robustness of the hosted pages.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formTo, openPage, type Page, submit } from '../browserless.ts'
import { usualDatabase } from '../database.ts'
import { openWorld } from '../gateway-here.ts'
import { ibans } from '../money.ts'
import { newPhone } from '../phone.ts'
import type { World } from '../world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld(usualDatabase, { TRUST_PROXY: 'loopback' })
})
afterAll(() => world.stop())

const english = { language: 'en' }
const card = { number: '4176660000000027', expiry: '12 / 30', vcode: '123', name: 'Ana Silva' }

async function open(change: Record<string, unknown> = {}) {
  const checkout = await world.createCheckout(change)
  return { checkout, page: await openPage(checkout.url_redirect) }
}

/** Posts the form of `page` that leads to `part`, with the headers of a browser. */
function postFrom(page: Page, part: string, says: string | Record<string, string>) {
  return fetch(new URL(formTo(page, part).action, page.url), {
    method: 'POST',
    redirect: 'manual',
    headers: {
      ...(typeof says === 'string' ? { 'sec-fetch-site': says } : says),
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ ...formTo(page, part).fields, ...card }).toString(),
  })
}

describe('the way back to the shop', () => {
  it.each([
    ['https://loja.pt/olá?preço=3€', 'https://loja.pt/ol%C3%A1?pre%C3%A7o=3%E2%82%AC'],
    ['https://пример.example/😀?a=1', 'https://xn--e1afmkfd.example/%F0%9F%98%80?a=1'],
  ])('to %s is an address that a header can hold', async (urlCancel, expected) => {
    const { checkout, page } = await open({ url_cancel: urlCancel })
    const answer = await postFrom(page, '/cancel', 'same-origin')
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe(`${expected}&checkoutid=${checkout.id}`)
    expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'FAIL' })
  })
})

describe('a customer who need not wait', () => {
  const url_confirm = 'https://shop.example/ok?order=7'
  const ways = (page: Page) => page.links.filter((href) => href.startsWith('https://shop.example/ok'))
  const debit = { holder: 'Ana Sousa', iban: ibans.paid, mandate: 'accepted' }

  it.each([
    ['MB', '/mb?', {}],
    ['MBWAY', '/mbway', { phone: '921 700 010' }],
    ['SEPA', '/sepa', debit],
  ])('of %s goes back to the shop, and nothing ends', async (method, part, fields) => {
    const { checkout, page } = await open({ url_confirm })
    const waiting = await submit(page, formTo(page, part), fields, english)
    expect(ways(waiting)).toEqual([`${url_confirm}&checkoutid=${checkout.id}`])
    expect(await world.operation(checkout.payment.id)).toMatchObject({ method, status: 'PENDING' })
  })

  it('and accepts a subscription by phone goes back to the shop', async () => {
    const terms = { amount: 9, currency: 'EUR', frequency: 1, period: 'MONTH' }
    const subscription = { ...terms, start_date: '2999-01-01' }
    const { checkout, page } = await open({ url_confirm, payment: undefined, subscription })
    const waiting = await submit(page, formTo(page, '/mbway'), { phone: newPhone(world).number }, english)
    expect(ways(waiting)).toEqual([`${url_confirm}&checkoutid=${checkout.id}`])
  })

  it('and whose card the acquirer does not answer for goes back to the shop', async () => {
    const { checkout, page } = await open({ url_confirm })
    const waiting = await submit(
      page,
      formTo(page, '/card'),
      { ...card, number: '4000000000000119' },
      english,
    )
    expect(waiting.html).toContain('data-waiting')
    // With JavaScript after a long answer, and without JavaScript.
    expect(ways(waiting)).toEqual(Array(2).fill(`${url_confirm}&checkoutid=${checkout.id}`))
  })

  it.each([
    ['/mb?', {}],
    ['/sepa', debit],
    ['/mbway', { phone: '921 700 020' }],
  ])('at %s is led to no shop if a payment link brought them', async (part, fields) => {
    const link = (
      await world.shop.post('/api/v2/payment_links', { amount: 10, currency: 'EUR', description: 'Lamp' })
    ).body
    const linked = await openPage(link.url, english)
    const page = await submit(linked, formTo(linked, '/l/'), {}, english)
    const waiting = await submit(page, formTo(page, part), fields, english)
    expect(waiting.html).toContain('data-waiting')
    expect(waiting.text).not.toContain('Back to the shop')
  })
})

describe('another site', () => {
  it.each(['cross-site', 'same-site'])('(%s) can neither cancel nor pay', async (site) => {
    const { checkout, page } = await open()
    for (const part of ['/cancel', '/card']) {
      const answer = await postFrom(page, part, site)
      expect(answer.headers.get('location')).toContain(`/checkout/${checkout.id}?`)
    }
    expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'NEW' })
  })

  it.each(['https://evil.example', 'http://127.0.0.1', 'null', 'http://127.0.0.1.evil.example'])(
    'of origin %s can neither cancel nor pay, in a browser that sends nothing more',
    async (origin) => {
      const { checkout, page } = await open()
      for (const part of ['/cancel', '/card']) {
        const answer = await postFrom(page, part, { origin })
        expect(answer.headers.get('location')).toContain(`/checkout/${checkout.id}?`)
      }
      expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'NEW' })
    },
  )

  it.each<[string, (port: string) => Record<string, string>]>([
    ['by the public address', (port) => ({ origin: `http://127.0.0.1:${port}` })],
    ['hiding its origin', () => ({ origin: 'null', 'sec-fetch-site': 'same-origin' })],
  ])('is not our own page, %s', async (_, says) => {
    const { checkout, page } = await open()
    const answer = await postFrom(page, '/cancel', says(new URL(world.baseUrl).port))
    expect(answer.headers.get('location')).toContain('https://shop.example/no')
    expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'FAIL' })
  })
})

describe('a customer who changes the form', () => {
  it('pays what the merchant asked for, and for the checkout of its address alone', async () => {
    const [{ checkout, page }, other] = await Promise.all([open(), open()])
    const forged = { amount: '0.01', 'payment.amount': '0.01', currency: 'USD', 'payment.currency': 'USD' }
    const elsewhere = {
      id: other.checkout.id,
      checkout: other.checkout.id,
      operation_id: other.checkout.payment.id,
    }
    const fields = { ...formTo(other.page, '/card').fields, ...forged, ...elsewhere, ...card }
    await submit(page, formTo(page, '/card'), fields)
    await world.eventually(async () => (await world.operation(checkout.payment.id)).status === 'COMPLETED')
    expect(await world.operation(checkout.payment.id)).toMatchObject({ amount: 10, currency: 'EUR' })
    expect(await world.operation(other.checkout.payment.id)).toMatchObject({ status: 'NEW', amount: 10 })
  })
})

describe('a card number in the wrong field', () => {
  const contact = { email: 'ana@example.com', phone: '+351 912 345 678' }

  it.each([
    ['name', 'Ana 4176 6600 0000 0027'],
    ['email', '4176660000000027@example.com'],
    ['phone', '4176 6600 0000 0027'],
  ])('(%s) is neither kept nor shown', async (field, value) => {
    const { checkout, page } = await open({ required_fields: { email: true, phone: true } })
    const answered = await submit(page, formTo(page, '/card'), { ...contact, ...card, [field]: value })
    expect(answered.status).toBe(422)
    expect(answered.html.replace(/[\s.-]/g, '')).not.toContain('4176660000000027')
    expect((await world.operation(checkout.payment.id)).client).toBeUndefined()
  })
})

describe('a card that was tried', () => {
  const declined = { ...card, number: '4000 0000 0000 9995' }

  /** Posts the card form with `fields` and the browser's stored data. Returns the next page. */
  async function payBy(page: Page, fields: Record<string, string>, cookie = '') {
    const form = formTo(page, '/card')
    const answer = await fetch(new URL(form.action, page.url), {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded', cookie },
      body: new URLSearchParams({ ...form.fields, ...fields }).toString(),
    })
    const set = answer.headers.get('set-cookie') ?? ''
    const location = answer.headers.get('location')
    const kept = set.split(';')[0] ?? ''
    const next = location === null ? undefined : new URL(location, page.url).href
    return { status: answer.status, set, kept, html: await answer.text(), next }
  }

  const reopen = (url: string, cookie: string) => openPage(url, english, { headers: { cookie } })

  it('is kept by its own browser for 15 minutes, sealed, and for this checkout alone', async () => {
    const { checkout, page } = await open()
    const { set, kept } = await payBy(page, declined)
    expect(set).toMatch(
      new RegExp(
        `^comporta_card=[\\w-]+; Path=/checkout/${checkout.id}; Max-Age=900; HttpOnly; SameSite=Lax$`,
      ),
    )
    const value = Buffer.from(kept.slice('comporta_card='.length), 'base64url')
    expect(value.includes('4000000000009995') || set.includes('4000000000009995')).toBe(false)

    const again = await reopen(checkout.url_redirect, kept)
    expect(again.text).toContain('We use your Visa ending in 9995 again.')
    expect(again.html.replace(/[\s-]/g, '')).not.toContain('400000000000')
    expect(formTo(again, '/card').fields).toMatchObject({
      number: '',
      expiry: '12 / 30',
      name: 'Ana Silva',
      vcode: '',
    })
    const stranger = await openPage(checkout.url_redirect, english)
    expect(stranger.text).not.toMatch(/\b9995\b/)
    const other = await open()
    expect((await reopen(other.checkout.url_redirect, kept)).text).not.toMatch(/\b9995\b/)
    await world.advance('PT16M')
    expect((await reopen(checkout.url_redirect, kept)).text).not.toMatch(/\b9995\b/)
  })

  it('replaces its number where the page showed it, and a typed number takes precedence', async () => {
    const { checkout, page } = await open()
    const { kept } = await payBy(page, declined)
    const again = await reopen(checkout.url_redirect, kept)
    const same = await payBy(again, { vcode: '123' }, kept)
    expect(same.status).toBe(303)
    expect((await reopen(checkout.url_redirect, same.kept)).text).toContain('not enough money on the card')

    const otherTab = await payBy(again, { vcode: '123', kept: '0027' }, kept)
    expect(otherTab.status).toBe(422)
    expect(otherTab.html).toContain('Enter the card number.')
    const fresh = await reopen(checkout.url_redirect, kept)
    const paid = await payBy(fresh, { ...card, name: 'Rui' }, kept)
    expect(paid.status).toBe(303)
    expect(await world.operation(checkout.payment.id)).toMatchObject({
      status: 'COMPLETED',
      card: { last4: '0027' },
    })
  })

  it('is not asked again after an error in another field; an invalid number is not kept', async () => {
    const { page } = await open()
    const wrong = await payBy(page, { ...card, expiry: '01 / 20' })
    expect(wrong.status).toBe(422)
    expect(wrong.html).toContain('0027')
    expect(wrong.html.replace(/[\s-]/g, '')).not.toContain('4176660000')
    expect(wrong.set).toContain('comporta_card=')
    const nonsense = await payBy(page, { ...card, number: '4176 6600 0000 0028' })
    expect(nonsense.set).toBe('')
  })
})

describe('a page that is out of date', () => {
  it('says, to a customer who pays by another method while a phone is asked, that the payment is being processed', async () => {
    const { checkout, page } = await open()
    await submit(page, formTo(page, '/mbway'), { phone: '912 345 671' }, english)
    const late = await submit(page, formTo(page, '/card'), card, english)
    expect(late.text).toContain('the payment is already on its way')
    expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'PENDING', method: 'MBWAY' })
  })

  it.each([
    ['voided', 'came too late and was not used', 'The shop withdrew this payment'],
    ['paid', 'You were charged only once', 'Payment made'],
  ])('says to a customer who pays when it was %s', async (how, expected, title) => {
    const { checkout, page } = await open()
    if (how === 'paid') await submit(page, formTo(page, '/card'), card)
    else await world.shop.delete(`/api/v2/checkout/${checkout.id}`)
    const reopened = await openPage(checkout.url_redirect, english)
    expect(reopened.text).not.toContain(expected)
    const late = await submit(page, formTo(page, '/mbway'), { phone: '912 345 672' }, english)
    expect(late.text).toContain(expected)
    expect(late.text).toContain(title)
  })
})

describe('a method that brings no name of the customer', () => {
  it.each(['mb?', 'paypal', 'wallet', 'mbway'])(
    '(%s) asks for it where the merchant needs it',
    async (part) => {
      const { checkout, page } = await open({ required_fields: { name: true } })
      const typed = { phone: '912 345 670', email: 'ana@demo.example', pin: '0000' }
      const missing = await submit(page, formTo(page, `/${part}`), typed, english)
      expect(missing.status).toBe(422)
      expect(missing.text).toContain('Enter your name.')
      const wrong = { ...typed, fullname: 'Ana 4176 6600 0000 0027' }
      const refused = await submit(page, formTo(page, `/${part}`), wrong, english)
      expect(refused.text).toContain('Enter your name without any card number.')
      expect(refused.html.replace(/[\s.-]/g, '')).not.toContain('4176660000000027')
      await submit(page, formTo(page, `/${part}`), { ...typed, fullname: 'Ana Silva' }, english)
      expect(await world.operation(checkout.payment.id)).toMatchObject({ client: { name: 'Ana Silva' } })
    },
  )

  it('does not ask where the merchant does not', async () => {
    const { checkout, page } = await open()
    expect(page.html).not.toContain('name="fullname"')
    await submit(page, formTo(page, '/mb?'))
    const chosen = await world.operation(checkout.payment.id)
    expect(chosen).toMatchObject({ status: 'PENDING', method: 'MB' })
    expect(chosen.client).toBeUndefined()
  })
})

it.each(['card', 'cancel'])('a GET of the address of a posted form (%s) gets the page', async (part) => {
  const { checkout } = await open()
  const page = await openPage(`${checkout.url_redirect}/${part}?lang=en`)
  expect(page.url).toBe(`${checkout.url_redirect}?lang=en`)
  expect(page.text).toContain('Pay Demo Shop')
})

it('a forwarded address is kept only if it is valid; otherwise the proxy’s', async () => {
  const { checkout, page } = await open()
  const { action, fields } = formTo(page, '/card')
  await fetch(new URL(action, page.url), {
    method: 'POST',
    redirect: 'manual',
    headers: { 'x-forwarded-for': '<b>', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...fields, ...card, js_enabled: 'true', language: '' }).toString(),
  })
  const operation = await world.operation(checkout.payment.id)
  expect(operation).toMatchObject({ status: 'COMPLETED', ipaddress: '127.0.0.1' })
})

describe('refusals are pages', () => {
  const accept = 'text/html,application/xhtml+xml'

  it.each([
    ['/checkout/%zz', 'en'],
    ['/checkout/%zz?lang=en', 'pt'],
    [`/checkout/${'x'.repeat(300)}`, 'en'],
    ['/secure/%ff', 'en'],
    ['/secure/none/of/ours', 'en'],
  ])('also at an unknown address: %s', async (path, language) => {
    const headers = { accept, 'accept-language': language }
    const answer = await world.request(path, { headers })
    expect(answer.status).toBe(404)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(answer.text).toContain(
      language === 'en' ? 'There is nothing to pay here' : 'Não há nada para pagar aqui',
    )
  })

  it('with the number to ask about, and the way back to the checkout', async () => {
    const { checkout } = await open()
    const answer = await world.request(`/checkout/${checkout.id}/card?lang=en`, {
      method: 'POST',
      headers: { accept, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'number=1&number=2',
    })
    expect(answer.status).toBe(400)
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(answer.text).toContain('We did not understand this request')
    expect(answer.text).toContain(answer.headers.get('x-request-id'))
    expect(answer.text).toContain(`href="/checkout/${checkout.id}?lang`)
  })

  it('also on the way back from an issuer', async () => {
    const answer = await world.request('/3ds/return/unknown', {
      method: 'POST',
      headers: { accept, 'accept-language': 'en' },
    })
    expect(answer.status).toBe(404)
    expect(answer.text).toContain('There is nothing to pay here')
  })
})
