// Security headers and cookies of every page.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formTo, openPage } from '../browserless.ts'
import { startWorldHere } from '../gateway-here.ts'
import { signIn } from '../people.ts'
import type { Answer, World } from '../world.ts'
import { type Route, withRoutes } from './routes.ts'

const unknownId = '01991234-5678-7000-8000-000000000000'
/** Pages for frames: card fields (test/secure-fields/keys.test.ts) and the simulated issuer. */
const framed = /^\/(?:secure-fields\/v1\/frame|sandbox\/issuer\/challenge)/
/** The API reference shows only our document; its library writes styles and compiles code. */
const reference = /^\/(?:docs\/api|openapi(?:-3\.0)?\.json)/
/** Pages without input, whose form ends at addresses of issuer and merchant. */
const leadsAway = /^\/secure\//

function policyOf({ headers }: Pick<Answer, 'headers'>): Map<string, string[]> {
  const policy = headers.get('content-security-policy') ?? ''
  return new Map(
    policy
      .split(';')
      .map((one) => one.trim().split(/\s+/))
      .map(([name = '', ...sources]) => [name, sources]),
  )
}

function holesIn(path: string, { headers }: Pick<Answer, 'headers'>): string[] {
  const policy = policyOf({ headers })
  const isPage = headers.get('content-type')?.startsWith('text/html') === true
  const sources = [...policy]
    .filter(([name]) => !/^(?:frame-ancestors|img-src)$/.test(name))
    .flatMap(([, some]) => some)
  const wide = reference.test(path)
    ? []
    : sources.filter((one) => /unsafe|^\*|^https?:$|^(?:data|blob):$/.test(one))
  const defaults = policy.get('default-src')?.join(' ') ?? 'nothing'
  return [
    ...(headers.get('x-content-type-options') === 'nosniff' ? [] : ['may be taken for something else']),
    ...(["'none'", "'self'"].includes(defaults) ? [] : [`loads ${defaults} by default`]),
    ...wide.map((one) => `allows ${one}`),
    ...(headers.has('server') || headers.has('x-powered-by') ? ['names its software'] : []),
    ...(isPage && !framed.test(path) && policy.get('frame-ancestors')?.join() !== "'none'"
      ? ['is framed']
      : []),
    ...(isPage && policy.get('base-uri') === undefined && defaults !== "'none'" ? ['takes any base'] : []),
    ...(isPage && !leadsAway.test(path) && policy.get('form-action') === undefined
      ? ['sends forms anywhere']
      : []),
    ...(isPage && !headers.get('referrer-policy') ? ['tells other sites where one came from'] : []),
  ].map((hole) => `${path}: ${hole}`)
}

describe('every page', () => {
  let world: World
  let routes: Route[]
  beforeAll(async () => {
    ;[world, routes] = await withRoutes(startWorldHere)
  })
  afterAll(() => world.stop())

  async function addresses(): Promise<string[]> {
    const { shop } = world
    const checkout = await world.createCheckout()
    const link = (await shop.post('/api/v2/payment_links', { description: 'Lamp', amount: 10 })).body
    const card = { number: '4176660000000027', name: 'Ana', vcode: '123', valdate: '12/2030' }
    const urls = {
      cardsecure_url_confirm: 'https://a.example/ok',
      cardsecure_url_cancel: 'https://a.example/no',
    }
    const esb = { 'proxy-authorization': `ESBToken=${shop.esb_token}` }
    const newCard = { ...card, email: 'ana@example.com' }
    const storing = (
      await shop.post('/prows/v2/creditcard', { ...urls, newCard, request_id: randomUUID() }, esb)
    ).body
    return [
      checkout.url_redirect,
      `${checkout.url_redirect}?lang=pt`,
      link.url,
      storing.cardsecure_url_redirect,
      `/secure-fields/v1/frame?merchant=${shop.public_id}`,
      '/backoffice/sign-in',
      '/docs/checkout',
      '/docs/api/',
      '/sandbox/phone/+351912345678',
      '/no/such/page',
    ].map((one) => one.replace(world.baseUrl, ''))
  }

  it('limits scripts, sources and frames', async () => {
    const open = routes.filter(
      ({ method, url, auth }) => method === 'GET' && auth === 'none' && !url.startsWith('/sandbox/shop'),
    )
    const unknown = open.map(({ url }) => url.replace(/-<hash>/, '').replaceAll(/:\w+|\*/g, unknownId))
    const paths = [...unknown.filter((path) => !path.endsWith('/events')), ...(await addresses())]
    const holes: string[] = []
    const kinds = new Map<string, number>()
    for (const path of paths) {
      const response = await fetch(world.baseUrl + path, {
        redirect: 'manual',
        headers: { accept: 'text/html' },
      })
      await response.text()
      const kind = `${response.status} ${response.headers.get('content-type')?.split(';')[0] ?? 'nothing'}`
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
      holes.push(...holesIn(path.split('?')[0] ?? path, response))
    }
    expect(holes).toEqual([])
    expect(kinds.get('200 text/html')).toBeGreaterThan(15)
    expect(kinds.get('404 text/html')).toBeGreaterThan(5)
  })

  it('sets cookies that no other site sends, and no secret that a script can read', async () => {
    const checkout = await world.createCheckout()
    const page = await openPage(checkout.url_redirect)
    const form = formTo(page, '/card')
    const declined = { number: '4000000000000002', expiry: '12 / 30', vcode: '123', name: 'Ana Silva' }
    const tried = await fetch(new URL(form.action, page.url), {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ ...form.fields, ...declined }).toString(),
    })
    const { email, password } = await signIn(world, 'owner@demo.example')
    const signed = await world.request('/backoffice/api/sign-in', {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: new URL(world.baseUrl).origin },
      body: JSON.stringify({ email, password }),
    })
    const cookies = [...tried.headers.getSetCookie(), ...signed.headers.getSetCookie()]
    expect(cookies.length).toBeGreaterThan(1)
    expect(cookies.filter((one) => !/; SameSite=(Lax|Strict)/i.test(one))).toEqual([])
    expect(cookies.filter((one) => !/; HttpOnly/i.test(one)).map((one) => one.split(';')[0])).toEqual([
      'comporta.signed_in=yes',
    ])
  })
})
