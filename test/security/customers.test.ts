// Public pages refuse ids that are unknown, of another kind, or expired.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorldHere } from '../gateway-here.ts'
import { subscribersOf } from '../subscribers.ts'
import { type Answer, cards, type Json, type World } from '../world.ts'
import { publicRoutes } from './public-routes.ts'
import { type Route, withRoutes } from './routes.ts'
import { nameOf } from './table.ts'

const pages = Object.entries(publicRoutes).filter(([why]) =>
  /customer|everyone with|holder|3-D Secure/.test(why),
)
const byAddress = pages.flatMap(([, names]) => names).filter((name) => name.includes(':'))

let world: World
let routes: Route[]
let subscription: Json
let manageLink: string
let ids: Readonly<Record<string, string>>

beforeAll(async () => {
  ;[world, routes] = await withRoutes(startWorldHere)
  const subscribing = await subscribersOf(world).checkout()
  subscription = subscribing.subscription
  const accepted = await world.payOnPage(subscribing, cards.frictionless)
  manageLink = accepted.links.find((href) => href.includes('/subscription/')) ?? ''
  const checkout = await world.createCheckout()
  const stored = await world.shop.post(
    '/prows/v2/creditcard',
    {
      cardsecure_url_confirm: world.receiver.url('/confirm'),
      cardsecure_url_cancel: world.receiver.url('/cancel'),
      newCard: {
        number: cards.challenge.number,
        name: 'Ana',
        vcode: '123',
        valdate: '12/2030',
        email: 'a@b.pt',
      },
      request_id: randomUUID(),
    },
    { 'proxy-authorization': `ESBToken=${world.shop.esb_token}` },
  )
  expect(stored.status, stored.text).toBe(200)
  const link = await newLink()
  ids = {
    '/checkout/': checkout.id,
    '/secure/': new URL(stored.body.cardsecure_url_redirect).pathname.split('/')[2] ?? '',
    '/subscription/': subscription.id,
    '/l/': new URL(link.url).pathname.split('/')[2] ?? '',
  }
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await world.stop()
})

async function newLink(change: object = {}): Promise<Json> {
  const link = { description: 'Lamp', amount: 10, ...change }
  return (await world.shop.post('/api/v2/payment_links', link)).body
}

const filledIn = () => ({
  attempt: randomUUID(),
  number: cards.frictionless.number,
  name: 'Ana Silva',
  expiry: '12 / 30',
  vcode: '123',
  email: 'ana@example.com',
  phone: '+351911000000',
  iban: 'PT50000201231234567890154',
  accepted: 'on',
  pin: '1234',
  amount: '10',
})

const someId = '01991234-5678-7000-8000-000000000000'
const report = {
  ...{ messageType: 'RReq', messageVersion: '2.2.0', transStatus: 'Y' },
  ...{ threeDSServerTransID: someId, acsTransID: someId, dsTransID: someId },
}
const json = { body: JSON.stringify(report), headers: { 'content-type': 'application/json' } }

function ask(name: string, id: string): Promise<Answer> {
  const [method = '', pattern = ''] = name.split(' ')
  const isForServers = pattern.includes('/results/')
  const path = pattern
    .replace(/:(id|code|threeDsId)/, encodeURIComponent(id))
    .replace(':charge', someId)
    .replace(/:(signature|secret)/, 'A'.repeat(43))
  return world.request(path, {
    method,
    redirect: 'manual',
    ...(method === 'POST' && (isForServers ? json : { body: new URLSearchParams(filledIn()) })),
  })
}

async function everythingRead(): Promise<string[]> {
  const paths = [
    `checkout/${ids['/checkout/']}`,
    `subscriptions/${subscription.id}`,
    'payment_links',
    'operations',
  ]
  return Promise.all(paths.map(async (path) => (await world.shop.get(`/api/v2/${path}`)).text))
}

it('each public page of customers is tested here', () => {
  const open = routes.filter(
    ({ url, auth }) => auth === 'none' && /^\/(checkout|l|secure|subscription|3ds)\//.test(url),
  )
  expect(
    open
      .map(nameOf)
      .filter((name) => name.includes(':'))
      .sort(),
  ).toEqual(byAddress.toSorted())
  expect(byAddress.length).toBeGreaterThan(30)
})

describe('an address', () => {
  const asked = (id: (name: string) => string) =>
    Promise.all(byAddress.map(async (name) => [name, (await ask(name, id(name))).status]))
  const found = (answers: (string | number)[][]) => answers.filter(([, status]) => status !== 404)

  it.each([
    ['that nobody has', '01991234-5678-7000-8000-000000000000'],
    ['that is no id', 'x'],
    ['with the end of an SQL statement', `' or true --`],
    ['with a NUL', '\u0000'],
  ])('%s opens nothing', async (_what, id) => {
    expect(found(await asked(() => id))).toEqual([])
  })

  it('with the id of another object opens nothing, and changes nothing', async () => {
    const before = await everythingRead()
    for (const [prefix, id] of Object.entries(ids)) {
      const isOther = (name: string) => !name.includes(` ${prefix}`)
      const answers = (await asked((name) => (isOther(name) ? id : 'x'))).filter(([name]) =>
        isOther(String(name)),
      )
      expect(found(answers), `the id of ${prefix}`).toEqual([])
    }
    expect(await everythingRead()).toEqual(before)
  })
})

describe('a checkout that is over', () => {
  const forms = byAddress.filter((name) => name.startsWith('POST /checkout/'))
  const over: [string, (checkout: Json) => Promise<unknown>][] = [
    ['paid', (checkout) => world.payOnPage(checkout, cards.frictionless)],
    ['cancelled by its merchant', ({ id }) => world.shop.delete(`/api/v2/checkout/${id}`)],
    ['expired', () => world.advance('P60D')],
  ]

  it.each(over)('%s, accepts no form, and pays nothing again', async (_how, end) => {
    const checkout = await world.createCheckout()
    await end(checkout)
    const read = async () => [
      (await world.shop.get(`/api/v2/checkout/${checkout.id}`)).text,
      (await world.shop.get('/api/v2/operations?limit=1')).body.total,
    ]
    const before = await read()
    const answers = await Promise.all(
      forms.map(async (name) => {
        const { status, headers } = await ask(name, checkout.id)
        const { pathname } = new URL(headers.get('location') ?? '', world.baseUrl)
        return [name, status, pathname.replace(/\/bank$/, '')]
      }),
    )
    const page = `/checkout/${checkout.id}`
    expect(answers).toEqual(forms.map((name) => [name, 303, page]))
    expect((await world.request(page)).text).not.toContain('<form')
    expect(await read()).toEqual(before)
  })
})

describe('a payment link that is over', () => {
  const over: [string, (link: Json, code: string) => Promise<unknown>][] = [
    ['ended by its merchant', ({ id }) => world.shop.delete(`/api/v2/payment_links/${id}`)],
    ['out of time', () => world.advance('PT2H')],
    [
      'paid as often as it may be',
      async (_link, code) => {
        const opened = await ask('POST /l/:code', code)
        const checkout = new URL(opened.headers.get('location') ?? '', world.baseUrl)
        await world.payOnPage({ url_redirect: checkout.href }, cards.frictionless)
      },
    ],
  ]

  it.each(over)('opens no checkout, because it is %s', async (_how, end) => {
    const now = Date.parse((await world.request('/sandbox/api/clock')).body.now)
    const expires = new Date(now + 60 * 60 * 1000).toISOString()
    const link = await newLink({ uses_max: 2, expires })
    const code = new URL(link.url).pathname.split('/')[2] ?? ''
    const first = await ask('POST /l/:code', code)
    const checkout = new URL(first.headers.get('location') ?? '', world.baseUrl)
    expect([first.status, checkout.pathname]).toEqual([303, expect.stringMatching(/^\/checkout\//)])
    await world.payOnPage({ url_redirect: checkout.href }, cards.frictionless)
    await end(link, code)
    const total = async () => (await world.shop.get('/api/v2/operations?limit=1')).body.total
    const before = await total()
    const { status, headers } = await ask('POST /l/:code', code)
    expect([status, headers.get('location')]).toEqual([303, expect.stringContaining(`/l/${code}?`)])
    expect(await total()).toBe(before)
  })
})

it('the page of a subscription opens only with the signature of its own link', async () => {
  const other = await subscribersOf(world).accepted()
  const [, , id = '', signature = ''] = new URL(manageLink, world.baseUrl).pathname.split('/')
  expect(id).toBe(subscription.id)
  expect((await world.request(`/subscription/${id}/${signature}`)).status).toBe(200)
  const post = { method: 'POST', redirect: 'manual' } as const
  for (const [whose, by] of [
    [other.id, signature],
    [id, `${signature.slice(0, -2)}AA`],
    [id, signature.slice(0, -1)],
    [id, 'A'.repeat(signature.length)],
  ]) {
    const answers = [
      await world.request(`/subscription/${whose}/${by}`),
      await world.request(`/subscription/${whose}/${by}/cancel`),
      await world.request(`/subscription/${whose}/${by}/cancel`, post),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
  }
  for (const known of [other, subscription])
    expect((await world.shop.get(`/api/v2/subscriptions/${known.id}`)).body.status).toBe('APPROVED')
})
