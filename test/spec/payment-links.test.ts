// Payment links.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formTo, openPage, type Page, submit } from '../browserless.ts'
import { openWorld } from '../gateway-here.ts'
import { signIn } from '../people.ts'
import { type Answer, cards, type Json, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld('postgres')
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await world.stop()
})

const links = '/api/v2/payment_links'
const lamp = { description: 'Candeeiro azul', amount: 24.9 }

async function makeLink(change: Record<string, unknown> = {}): Promise<Json> {
  const made = await world.shop.post(links, { ...lamp, ...change })
  expect(made.status, made.text).toBe(200)
  return made.body
}
const read = async (id: string): Promise<Json> => (await world.shop.get(`${links}/${id}`)).body
/** Presses the button of a link's page. Returns the next page. */
async function press(link: Json, fields: Record<string, string> = {}): Promise<Page> {
  const page = await openPage(link.url)
  return submit(page, formTo(page, '/l/'), fields)
}
const pay = (checkout: Page) => world.payOnPage({ url_redirect: checkout.url }, cards.frictionless)
const checkoutOf = ({ url }: Page) => /\/checkout\/([0-9a-f-]{36})/.exec(url)?.[1]

describe('a link', () => {
  it('is made, read, listed and closed', async () => {
    const link = await makeLink({ uses_max: 1, ext_invoiceid: 'F-7', methods: ['cc', 'MBWAY'] })
    expect(link).toMatchObject({
      ...lamp,
      status: 'ACTIVE',
      uses: 0,
      uses_max: 1,
      amount_paid: 0,
      currency: 'EUR',
      ext_invoiceid: 'F-7',
      methods: ['CC', 'MBWAY'],
    })
    expect(link.url).toMatch(new RegExp(`^${world.baseUrl}/l/[0-9A-Za-z]{22}$`))
    expect(await read(link.id)).toEqual(link)
    const active = (await world.shop.get(`${links}?status=ACTIVE`)).body
    expect(active.elements[0]).toEqual(link)
    const closed = await world.shop.delete(`${links}/${link.id}`)
    expect(closed.body).toMatchObject({ id: link.id, status: 'CLOSED' })
    expect((await world.shop.delete(`${links}/${link.id}`)).body).toEqual(closed.body)
    expect((await world.shop.get(`${links}?status=active`)).body.total).toBe(active.total - 1)
    expect((await openPage(link.url)).text).toContain('This link was closed')
  })

  it('is shown to people in the backoffice as to programs', async () => {
    const link = await makeLink({ required_fields: { phone: true } })
    const owner = await signIn(world, 'owner@demo.example')
    const shown = await owner.get(`/wallets/${world.shop.wallet_id}/payment_links/${link.id}`)
    expect(shown.text).toBe((await world.shop.get(`${links}/${link.id}`)).text)
  })

  it('is made once under one key', async () => {
    const key = { 'idempotency-key': randomUUID() }
    const [one, two] = await Promise.all([
      world.shop.post(links, lamp, key),
      world.shop.post(links, lamp, key),
    ])
    const again = await world.shop.post(links, lamp, key)
    const made = [one, two].filter(({ status }: Answer) => status === 200)
    expect(made.every(({ text }) => text === again.text)).toBe(true)
    expect((await world.shop.get(`/api/v2/requests/${key['idempotency-key']}`)).body).toMatchObject({
      status: 'COMPLETED',
    })
  })

  it('of another merchant is not there', async () => {
    const { id } = await makeLink()
    const other = world.merchant('Plain Shop')
    expect((await other.get(`${links}/${id}`)).status).toBe(404)
    expect((await other.delete(`${links}/${id}`)).status).toBe(404)
    expect(((await other.get(links)).body.elements as Json[]).map((link) => link.id)).not.toContain(id)
  })

  it.each<[string, Record<string, unknown>, number, string]>([
    ['no amount', { amount: undefined }, 10001, 'amount'],
    ['one bound', { amount: undefined, amount_min: 5 }, 10001, 'amount'],
    ['an amount and bounds', { amount_min: 5, amount_max: 9 }, 10002, 'amount'],
    ['bounds the wrong way round', { amount: undefined, amount_min: 9, amount_max: 5 }, 10002, 'amount_max'],
    ['nothing to pay', { amount: 0 }, 40009, 'amount'],
    ['another currency', { currency: 'USD' }, 10002, 'currency'],
    ['no description', { description: ' ' }, 10002, 'description'],
    ['an unknown method', { methods: ['CHEQUE'] }, 10002, 'methods[0]'],
    ['no use', { uses_max: 0 }, 10002, 'uses_max'],
    ['an end that has passed', { expires: '2020-01-01' }, 10002, 'expires'],
    ['an invalid address', { url_confirm: 'loja' }, 10002, 'url_confirm'],
    ['a language that it does not speak', { language: 'fr' }, 10002, 'language'],
    ['a store of somebody else', { store: 999_999 }, 10002, 'store'],
  ])('is refused with %s', async (_, change, code, field) => {
    const answer = await world.shop.post(links, { ...lamp, ...change })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.body).toMatchObject({ code })
    expect(answer.text).toContain(field)
  })
})

describe('its customer', () => {
  it('makes nothing by opening it, pays by its button, and is thanked here', async () => {
    const link = await makeLink({ uses_max: 1 })
    const before = (await world.shop.get('/api/v2/operations')).body.total
    const page = await openPage(link.url)
    expect(page.text).toContain('Pay Demo Shop')
    expect(page.text).toContain('€24.90')
    expect(page.text).toContain(lamp.description)
    expect((await world.shop.get('/api/v2/operations')).body.total).toBe(before)

    const checkout = await press(link)
    const thanks = await pay(checkout)
    expect(thanks.text).toContain('Payment made')
    expect(thanks.html).not.toContain('data-forward=')
    expect(thanks.links.filter((href) => href.startsWith(world.baseUrl))).toEqual([])
    expect(await read(link.id)).toMatchObject({ status: 'USED', uses: 1, amount_paid: 24.9 })
    const used = await openPage(link.url)
    expect(used.text).toContain('Already paid')
    expect(used.forms).toEqual([])
    const [newest] = (await world.shop.get('/api/v2/operations')).body.elements
    expect(newest).toMatchObject({ payment_link_id: link.id, amount: 24.9, status: 'COMPLETED' })
    const callback = await world.eventually(async () =>
      world.receiver.received().find(({ body }) => body.includes(newest.id)),
    )
    expect(callback.body).toContain(newest.id)
  })

  it('goes back to the shop where the link says so', async () => {
    const link = await makeLink({ url_confirm: 'https://loja.example/obrigado' })
    const { links: hrefs } = await pay(await press(link))
    expect(hrefs.join()).toContain('https://loja.example/obrigado?checkoutid=')
  })

  it('a customer without a payment can try again', async () => {
    const link = await makeLink({ uses_max: 1 })
    const checkout = await press(link)
    const back = await submit(checkout, formTo(checkout, '/cancel'))
    expect(new URL(back.url).pathname).toBe(new URL(link.url).pathname)
    expect((await pay(await press(link))).text).toContain('Payment made')
  })

  it('chooses an amount between the bounds, in either notation', async () => {
    const link = await makeLink({ amount: undefined, amount_min: 5, amount_max: 50, uses_max: 1 })
    for (const amount of ['4.99', '50,01', '1.234', 'dez', '', '<b>']) {
      const wrong = await press(link, { amount })
      expect(wrong.status).toBe(422)
      expect(wrong.text).toContain('Enter an amount from €5.00 to €50.00')
    }
    const first = await press(link, { amount: '20' })
    expect(first.text).toContain('€20.00')
    const second = await press(link, { amount: '12,50 €' })
    expect(second.text).toContain('€12.50')
    expect((await openPage(first.url)).text).not.toContain('€12.50')
    await pay(second)
    expect(await read(link.id)).toMatchObject({ uses: 1, amount_paid: 12.5 })
  })

  it('reads it in the language of the link, and may change it', async () => {
    const link = await makeLink({ language: 'pt' })
    const page = await openPage(link.url)
    expect(page.text).toContain('Pagar a Demo Shop')
    expect((await press(link)).text).toContain('Cartão')
    expect((await openPage(`${link.url}?lang=en`)).text).toContain('Pay Demo Shop')
  })

  it('learns kindly that there is no such link', async () => {
    const page = await openPage(`${world.baseUrl}/l/${'A'.repeat(22)}`)
    expect(page.status).toBe(404)
    expect(page.html).toContain('<main')
  })

  it.each(['%00', '%ff', "'--", 'A'.repeat(23)])(
    'gets the same answer for an invalid code: %s',
    async (code) => {
      for (const path of [`/l/${code}`, `/l/${code}/qr.svg`, `/l/${code}/qr.png`]) {
        const { status, headers } = await world.request(path)
        expect([path, status, headers.get('content-type')]).toEqual([path, 404, 'text/html; charset=utf-8'])
      }
    },
  )

  it('on the page of another site opens nothing', async () => {
    const link = await makeLink()
    const answer = await fetch(link.url, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'sec-fetch-site': 'cross-site', 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(answer.headers.get('location')).toContain('/l/')
  })

  it('scans it', async () => {
    const link = await makeLink()
    const svg = await world.request(link.qr_url)
    expect(svg.headers.get('content-type')).toContain('image/svg+xml')
    expect(svg.text).toMatch(/^<svg [^>]*viewBox="0 0 (\d+) \1"/)
    const png = await fetch(link.qr_url.replace('.svg', '.png'))
    expect(
      Buffer.from(await png.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG')
    expect((await world.request(`/l/${'A'.repeat(22)}/qr.svg`)).status).toBe(404)
  })
})

describe('a limit', () => {
  it('of one leads all who press at once to one checkout, which is paid once', async () => {
    const link = await makeLink({ uses_max: 1 })
    for (let round = 0; round < 3; round++) {
      const pages = await Promise.all(Array.from({ length: 12 }, () => press(link)))
      expect(new Set(pages.map(checkoutOf)).size).toBe(1)
      const [page] = pages as [Page]
      if (round < 2) await submit(page, formTo(page, '/cancel'))
      else await Promise.all(pages.map((one) => pay(one).catch(() => undefined)))
    }
    expect(await read(link.id)).toMatchObject({ status: 'USED', uses: 1, amount_paid: 24.9 })
  })

  it('of three is never passed, and an unpaid use is free again in an hour', async () => {
    const link = await makeLink({ uses_max: 3 })
    const pages = await Promise.all(Array.from({ length: 12 }, () => press(link)))
    const opened = pages.filter((page) => checkoutOf(page) !== undefined)
    expect(opened).toHaveLength(3)
    expect(pages.filter(({ status }) => status === 409)).toHaveLength(9)
    expect((await press(link)).text).toContain('Being paid at this moment')
    await pay(opened[0] as Page)
    await world.advance('PT1H1M')
    await Promise.all((await Promise.all([press(link), press(link)])).map(pay))
    expect(await read(link.id)).toMatchObject({ status: 'USED', uses: 3, amount_paid: 74.7 })
    expect((await openPage(link.url)).forms).toEqual([])
  })

  it('in time ends the link, and its checkouts with it', async () => {
    const now = Date.parse((await world.request('/sandbox/api/clock')).body.now)
    const link = await makeLink({ expires: new Date(now + 600_000).toISOString() })
    const checkout = await press(link)
    await world.advance('PT11M')
    expect(await read(link.id)).toMatchObject({ status: 'EXPIRED' })
    expect((await openPage(link.url)).text).toContain('The time to pay is over')
    expect((await openPage(checkout.url)).text).toContain('The time to pay is over')
  })
})
