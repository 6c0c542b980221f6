// The sender of a request loses the right while the body is still on its way.
import { connect } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { permissions } from '../../src/kernel/values/permissions.ts'
import { startWorldHere } from '../gateway-here.ts'
import { type SignedIn, signIn } from '../people.ts'
import type { Json, World } from '../world.ts'
import { type Route, withRoutes } from './routes.ts'
import { isForKeys, isForPeople, nameOf } from './table.ts'

const id = '01991234-5678-7000-8000-000000000000'
const password = 'four plain words here'

let world: World
let routes: Route[]
let owner: SignedIn
let team: string
let people = 0

beforeAll(async () => {
  ;[world, routes] = await withRoutes(() => startWorldHere('postgres'))
  owner = await signIn(world, 'owner@demo.example')
  team = `/wallets/${world.shop.wallet_id}/team`
})
beforeEach(() => {
  people += 1
})
afterAll(() => world?.stop())

interface Held {
  finish(): Promise<string>
}

async function hold(
  method: string,
  path: string,
  headers: Record<string, string>,
  body: Json = { half: 'and half' },
): Promise<Held> {
  const { hostname, port } = new URL(world.baseUrl)
  const text = JSON.stringify(body)
  const socket = connect(Number(port), hostname)
  let received = ''
  const asked = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<string>()
  socket.on('data', (chunk) => {
    received += chunk
    if (received.includes('100 Continue')) asked.resolve()
    else if (received.length > 0) asked.resolve()
  })
  socket.once('error', ended.reject)
  socket.once('close', () => {
    const answer = received.slice(received.lastIndexOf('HTTP/1.1 '))
    const code = /"code":(\d+)/.exec(answer)?.[1] ?? ''
    ended.resolve(`${answer.slice(9, 12)} ${code}`.trim())
  })
  const lines = Object.entries({
    host: `${hostname}:${port}`,
    connection: 'close',
    expect: '100-continue',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
    ...headers,
  })
  socket.write(
    `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
  )
  await asked.promise
  socket.write(text.slice(0, text.length / 2))
  return {
    finish() {
      socket.write(text.slice(text.length / 2))
      return ended.promise
    },
  }
}

const holdAs = (who: SignedIn, method: string, path: string, body?: Json) =>
  hold(
    method,
    `/backoffice/api${path}`,
    { cookie: who.cookie, origin: new URL(world.baseUrl).origin, 'x-csrf-token': who.session.csrf_token },
    body,
  )

async function newKey(walletId = world.shop.wallet_id): Promise<{ id: string; key: string }> {
  const options = ['--permissions', permissions.join(',')]
  const { json } = await world.cli('key', 'create', String(walletId), ...options)
  return { id: json.id, key: json.api_key }
}

const withKey = (key: string, esb = world.shop.esb_token) => ({
  authorization: `Comporta ${key}`,
  'proxy-authorization': `ESBToken=${esb}`,
})

async function member(role: string): Promise<SignedIn> {
  const email = `held-${people}-${role}@demo.example`
  const invited = await owner.send('POST', `${team}/invitations`, { email, role })
  const token = invited.body.url.split('#')[1]
  await world.request('/backoffice/api/join', {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: new URL(world.baseUrl).origin },
    body: JSON.stringify({ token, name: 'Held', password }),
  })
  return signIn(world, { email, password })
}

async function memberId({ email }: SignedIn): Promise<string> {
  const { body } = await owner.get(team)
  return body.members.find((one: { email: string }) => one.email === email)?.id
}

async function sql(text: string, values: unknown[]): Promise<void> {
  const client = new pg.Client({ connectionString: world.databaseUrl })
  await client.connect()
  await client.query(text, values).finally(() => client.end())
}

const pathOf = ({ url }: Route) =>
  url.replace(':wallet', String(world.shop.wallet_id)).replaceAll(/:\w+/g, id)

const hasBody = ({ method }: Route) => method !== 'GET'

interface Sender {
  hold(route: Route): Promise<Held>
  end(): Promise<void>
}

async function withNewKey(): Promise<Sender> {
  const { id: keyId, key } = await newKey()
  await world.request('/api/v2/operations', { headers: withKey(key) })
  return {
    hold: (route) => hold(route.method, pathOf(route), withKey(key)),
    async end() {
      expect((await world.cli('key', 'revoke', keyId)).code).toBe(0)
    },
  }
}

async function newOwner(end: (who: SignedIn) => Promise<void>): Promise<Sender> {
  const who = await member('owner')
  return {
    hold: (route) => holdAs(who, route.method, pathOf(route).slice('/backoffice/api'.length)),
    async end() {
      await who.get(team)
      await end(who)
    },
  }
}

async function endSessions({ email }: SignedIn): Promise<void> {
  const elsewhere = await signIn(world, { email, password })
  expect((await elsewhere.send('DELETE', '/account/sessions')).body.ended).toBeGreaterThan(0)
}

async function removeFromTeam(who: SignedIn): Promise<void> {
  expect((await owner.send('DELETE', `${team}/members/${await memberId(who)}`)).status).toBe(200)
}

describe('a request is refused if, before its body is complete,', () => {
  it.each<[string, () => Promise<Sender>, (route: Route) => boolean, string]>([
    ['its API key is revoked', withNewKey, isForKeys, '401 20005'],
    [
      'the session of its sender is ended',
      () => newOwner(endSessions),
      (route) => isForPeople(route) && !route.url.includes('/operator/'),
      '401 20001',
    ],
    [
      'its sender is removed from the team',
      () => newOwner(removeFromTeam),
      (route) => isForPeople(route) && route.url.includes('/wallets/:wallet/'),
      '403 20002',
    ],
  ])('%s', async (_, newSender, isConcerned, refused) => {
    const some = routes.filter((route) => hasBody(route) && isConcerned(route))
    expect(some.length).toBeGreaterThan(20)
    const sender = await newSender()
    const held = await Promise.all(some.map((route) => sender.hold(route)))
    await sender.end()
    const answers = await Promise.all(held.map((one) => one.finish()))
    const wrong = some.flatMap((route, at) =>
      answers[at] === refused ? [] : `${nameOf(route)} ${answers[at]}`,
    )
    expect(wrong).toEqual([])
  })
})

describe('an API key', () => {
  it('succeeds if nothing changed', async () => {
    const { key } = await newKey()
    const body = {
      payment: { amount: 5, currency: 'EUR' },
      url_confirm: 'https://shop.example/ok',
      url_cancel: 'https://shop.example/no',
    }
    const held = await hold('POST', '/api/v2/checkout', withKey(key), body)
    expect(await held.finish()).toBe('200')
  })

  it('is checked against the ESB token, the rights and the state of its wallet at the end of the body', async () => {
    const made = await world.cli(
      ...['merchant', 'create', '--name', 'H', '--email', 'h@h.example'],
      ...['--rights', 'partner,pci_dss', '--methods', 'CC,MB,MBWAY'],
    )
    const { wallet_id: walletId, esb_token: esb } = made.json
    const { key } = await newKey(walletId)
    const cardApi = routes.find(
      ({ auth, method }) => auth !== 'none' && auth.esb && method === 'POST',
    ) as Route
    for (const [path, options, refused] of [
      [pathOf(cardApi), ['--rotate-esb-token'], '401 20004'],
      ['/api/v2/mb/pay', ['--rights', 'none'], '403 20002'],
      ['/api/v2/checkout', ['--suspended', 'on'], '403 20002'],
    ] as const) {
      const held = await hold('POST', path, withKey(key, esb))
      expect((await world.cli('merchant', 'set', String(walletId), ...options)).code).toBe(0)
      expect([options, await held.finish()]).toEqual([options, refused])
    }
  })
})

describe('somebody signed in', () => {
  it('cannot invite after losing the role', async () => {
    const who = await member('owner')
    const email = `friend-${people}@demo.example`
    const held = await holdAs(who, 'POST', `${team}/invitations`, { email, role: 'owner' })
    await who.get(team)
    const path = `${team}/members/${await memberId(who)}`
    expect((await owner.send('PUT', path, { role: 'developer' })).status).toBe(200)
    expect(await held.finish()).toBe('403 20002')
    const { invitations } = (await owner.get(team)).body
    expect(invitations.filter((one: { email: string }) => one.email === email)).toEqual([])
  })

  it.each(['invitations', 'password-link'])(
    'a person without the role leaves no valid link: %s',
    async (kind) => {
      const who = await member('owner')
      const other = await member('support')
      const friend = { email: `friend-${people}@demo.example`, role: 'owner' }
      const made =
        kind === 'invitations'
          ? await who.send('POST', `${team}/invitations`, friend)
          : await who.send('POST', `${team}/members/${await memberId(other)}/${kind}`)
      expect(made.status, made.text).toBe(200)
      // This happens between the check of the role and the write of the link.
      await sql(
        `update backoffice.members set role = 'support'
         where user_id = (select id from backoffice.users where email = $1)`,
        [who.email],
      )
      const used = await world.request('/backoffice/api/join', {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: new URL(world.baseUrl).origin },
        body: JSON.stringify({ token: made.body.url.split('#')[1], name: 'Friend', password }),
      })
      expect([used.status, used.body.code]).toEqual([409, 10013])
    },
  )
})
