// Objects of two merchants in a fuzzed gateway, for requests to name.
import { randomUUID } from 'node:crypto'
import { formTo, openPage, type Page, submit } from '../../browserless.ts'
import type { FuzzedGateway } from './gateway.ts'

export const callers = ['key', 'other key', 'person', 'operator', 'reader', 'nobody'] as const
export type Caller = (typeof callers)[number]

export interface Known {
  valueOf(placeholder: string): string | undefined
  headersOf(caller: Caller): readonly (readonly [string, string])[]
  readonly secrets: readonly string[]
  /** Ids of the other merchant; answers contain them only if the request did. */
  readonly foreign: readonly string[]
  /** Signs people in again; after too many tries or a removal, a caller stays anonymous. */
  signIn(): Promise<void>
}

// biome-ignore lint/suspicious/noExplicitAny: answers are read as a merchant's script reads them
type Json = any

/** Creates one object of each kind for both merchants. */
export async function makeKnown(gateway: FuzzedGateway): Promise<Known> {
  const { demo, baseUrl } = gateway
  const [shop, , , plain] = demo.merchants
  const values = new Map<string, string>([
    ['password', demo.users[0].password],
    ['phone', demo.consumers[0].phone],
    ['pin', demo.consumers[0].pin],
    ['email', demo.consumers[0].email],
  ])
  for (const [whose, merchant] of [
    ['own', shop],
    ['other', plain],
  ] as const) {
    for (const kind of ['phone', 'email']) values.set(`${whose}.${kind}`, values.get(kind) ?? '')
    values.set(`${whose}.day`, new Date().toISOString().slice(0, 10))
    values.set(`${whose}.wallet`, String(merchant.wallet_id)).set(`${whose}.public`, merchant.public_id)
    for (const [kind, value] of await thingsOf(gateway, merchant)) values.set(`${whose}.${kind}`, value)
  }
  const people = new Map<Caller, readonly (readonly [string, string])[]>()
  const keyHeaders = (merchant: Json) =>
    [
      ['authorization', `Comporta ${merchant.api_key}`],
      ['proxy-authorization', `ESBToken=${merchant.esb_token}`],
    ] as const
  // Wallet numbers and shared objects prove nothing.
  const shared = ['wallet', 'public', 'phone', 'email', 'day'].map((kind) => `other.${kind}`)
  const foreign = [...values].filter(([name]) => name.startsWith('other.') && !shared.includes(name))

  async function signIn(): Promise<void> {
    for (const [caller, index] of [
      ['person', 0],
      ['reader', 1],
      ['operator', 3],
    ] as const) {
      if (await isSignedIn(baseUrl, people.get(caller))) continue
      people.set(caller, await personHeaders(baseUrl, demo.users[index]))
    }
  }

  await signIn()
  for (const [kind, value] of await peoplesThings(baseUrl, people.get('person') ?? []))
    values.set(`own.${kind}`, value)
  return {
    signIn,
    valueOf: (placeholder) => (placeholder === 'uuid' ? randomUUID() : values.get(placeholder)),
    headersOf(caller) {
      if (caller === 'key') return keyHeaders(shop)
      return caller === 'other key' ? keyHeaders(plain) : (people.get(caller) ?? [])
    },
    secrets: [plain.api_key, plain.esb_token, plain.callback_secret, plain.callback_signing_secret],
    foreign: foreign.map(([, value]) => value),
  }
}

async function thingsOf(gateway: FuzzedGateway, { api_key, esb_token }: Json): Promise<[string, string][]> {
  const headers = { authorization: `Comporta ${api_key}`, 'proxy-authorization': `ESBToken=${esb_token}` }
  const get = async (path: string): Promise<Json> => (await fetch(gateway.baseUrl + path, { headers })).json()
  const post = async (path: string, change: object = {}): Promise<Json> => {
    const example = gateway.routes.find(({ method, url }) => method === 'POST' && url === path)?.example
    const answer = await fetch(gateway.baseUrl + path, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ ...example, ...change }),
    })
    return answer.json()
  }
  const request = randomUUID()
  const [open, paid, subscribing, link, mandate, reference, storing, unpaid] = await Promise.all([
    post('/api/v2/checkout'),
    post('/api/v2/checkout'),
    post('/api/v2/checkout', { payment: undefined, subscription: subscription() }),
    post('/api/v2/payment_links'),
    post('/api/v2/mandate/mbway', { phone: '+351911000001' }),
    post('/api/v2/mb/pay'),
    post('/prows/v2/creditcard', { request_id: request }),
    post('/prows/v2/payment'),
  ])
  await payByCard(paid.url_redirect)
  const managed = await payByCard(subscribing.url_redirect)
  await confirmByBank(storing.cardsecure_url_redirect)
  const { token } = await get(`/api/v2/requests/${request}`)
  const reserved = await post('/prows/v2/authorization', { card: { token }, newCard: undefined })
  await confirmByBank(reserved.cardsecure_url_redirect)
  const [{ elements: operations = [] }, { events = [] }] = await Promise.all([
    get('/api/v2/operations'),
    get('/api/v2/events'),
  ])
  const found: Readonly<Record<string, unknown>> = {
    ...{
      checkout: open.id,
      paid: paid.id,
      subscription: subscribing.subscription?.id,
      link: link.id,
      token,
      request,
    },
    operation: operations.find(({ status, type }: Json) => status === 'COMPLETED' && type === 'PAYMENT')?.id,
    ...{
      authorization: reserved.id,
      mandate: mandate.mandate_id,
      event: events[0]?.id,
      charge_id: unpaid.id,
    },
    signature: managed?.links.map((href) => /\/subscription\/[^/]+\/([\w-]+)/.exec(href)?.[1]).find(Boolean),
    secure: unpaid.cardsecure_url_redirect?.split('/').at(-1),
    code: link.url?.split('/').at(-1),
    ...{ reference: reference.mb?.ref, entity: reference.mb?.entity },
  }
  return Object.entries(found)
    .filter(([, value]) => value !== undefined)
    .map(([kind, value]) => [kind, String(value)])
}

function subscription(): object {
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  return {
    ...{ amount: 20, currency: 'EUR', frequency: 1, period: 'MONTH', start_date: tomorrow },
    ext_subscriptionid: randomUUID(),
    client: { name: 'Ana Silva', email: 'ana@example.com' },
  }
}

async function payByCard(url: string): Promise<Page> {
  const visit = { within: new URL(url).origin }
  const page = await openPage(url, visit)
  const typed = { number: '4176660000000027', name: 'Ana Silva', expiry: '12 / 30', vcode: '123' }
  return pastBank(await submit(page, formTo(page, '/card'), typed, visit), visit)
}

async function confirmByBank(url: string | undefined): Promise<void> {
  if (url === undefined) return
  const visit = { within: new URL(url).origin }
  await pastBank(await openPage(url, visit), visit)
}

/** Presses the buttons of the bank's pages until the shop is reached. */
async function pastBank(first: Page, visit: { readonly within: string }): Promise<Page> {
  let page = first
  for (let step = 0; step < 6; step++) {
    const next = page.forms.find(({ action }) =>
      /\/bank\b|\/challenge\b|\/secure\/|\/3ds\/return\//.test(action),
    )
    if (next === undefined) return page
    page = await submit(page, next, {}, visit)
  }
  return page
}

async function isSignedIn(
  baseUrl: string,
  headers: readonly (readonly [string, string])[] = [],
): Promise<boolean> {
  const answer = await fetch(`${baseUrl}/backoffice/api/session`, { headers: Object.fromEntries(headers) })
  return answer.ok
}

async function personHeaders(
  baseUrl: string,
  { email, password }: Json,
): Promise<readonly (readonly [string, string])[]> {
  const origin = new URL(baseUrl).origin
  const answer = await fetch(`${baseUrl}/backoffice/api/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ email, password }),
  })
  if (!answer.ok) return []
  const cookie = answer.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  const session = (await (
    await fetch(`${baseUrl}/backoffice/api/session`, { headers: { cookie } })
  ).json()) as Json
  return [
    ['cookie', cookie],
    ['origin', origin],
    ['x-csrf-token', String(session.csrf_token)],
  ]
}

async function peoplesThings(
  baseUrl: string,
  headers: readonly (readonly [string, string])[],
): Promise<[string, string][]> {
  const look = async (path: string): Promise<Json> =>
    (await fetch(`${baseUrl}/backoffice/api/${path}`, { headers: Object.fromEntries(headers) })).json()
  const [{ members = [] }, { requests = [] }, settings] = await Promise.all([
    look('wallets/1000/team'),
    look('wallets/1000/developers/requests'),
    look('wallets/1000/settings'),
  ])
  const file = /branding\/\w+\/([\w.-]+)/.exec(JSON.stringify(settings))?.[1]
  return [
    ['member', String(members.find(({ is_you }: Json) => is_you !== true)?.id)],
    ['tid', String(requests[0]?.tid)],
    ['file', file ?? 'logo.svg'],
  ]
}
