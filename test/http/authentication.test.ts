// Authentication and its refusals (CONTRACT section 4).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RefusalKind } from '../../src/kernel/result.ts'
import { type AskOptions, esbToken, type Gateway, keys, openGateway, refused, validBody } from './gateway.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await openGateway()
})
afterAll(() => gateway.close())

const authorization = (value: string) => ({ key: null, headers: { authorization: value } })
const withKey = (apikey: unknown) => ({ key: null, body: { ...validBody, merchant: { apikey } } })

describe('the API key', () => {
  it.each<[string, AskOptions]>([
    ['as usual', { key: keys.all }],
    ['after the scheme in another case', authorization(`cOMPORTA ${keys.all}`)],
    ['after another scheme that is accepted', authorization(`old ${keys.all}`)],
    ['with more space', authorization(`Comporta   ${keys.all} `)],
    ['that has to be looked up', { key: keys.slow }],
    ['in merchant.apikey', withKey(keys.all)],
    ['in merchant.apikey, looked up', withKey(keys.slow)],
  ])('is read %s', async (_, options) => {
    const answer = await gateway.ask('POST', '/api/v2/things', { body: validBody, ...options })
    expect(answer).toMatchObject({ status: 200, json: { wallet: '1' } })
  })

  it.each<[string, AskOptions, RefusalKind]>([
    ['no header and no body', { key: null, body: undefined }, 'authentication_required'],
    ['no header, and none in the body', { key: null }, 'authentication_required'],
    ['a key in the body that is no text', withKey(5), 'authentication_required'],
    ['merchant null', { key: null, body: { merchant: null } }, 'authentication_required'],
    ['an unknown key in the body', withKey('key-unknown'), 'invalid_api_key'],
    ['another scheme', authorization(`Bearer ${keys.all}`), 'authentication_required'],
    ['no scheme', authorization(keys.all), 'authentication_required'],
    ['a scheme alone', authorization('Comporta'), 'authentication_required'],
    ['three words', authorization(`Comporta ${keys.all} ${keys.all}`), 'authentication_required'],
    ['something that is no key', { key: 'hello' }, 'authentication_required'],
    ['an unknown key', { key: 'key-unknown' }, 'invalid_api_key'],
    [
      'a wrong header with a right key in the body',
      { ...withKey(keys.all), headers: { authorization: 'Comporta key-unknown' } },
      'invalid_api_key',
    ],
  ])('is missed with %s', async (_, options, kind) => {
    const before = gateway.received.length
    const answer = await gateway.ask('POST', '/api/v2/things', { body: validBody, ...options })
    expect(answer).toMatchObject(refused(kind))
    expect(answer.headers['www-authenticate']).toBe('Comporta realm="https://pay.example"')
    expect(gateway.received).toHaveLength(before)
  })

  it('is asked for before the body is looked at', async () => {
    const answer = await gateway.ask('POST', '/api/v2/things', { key: 'key-unknown', body: '{{{' })
    expect(answer).toMatchObject(refused('invalid_api_key'))
  })

  it.each([
    ['Authorization', keys.all, 'key-unknown'],
    ['authorization', keys.all, keys.all],
    ['AUTHORIZATION', 'key-unknown', keys.all],
  ])('is refused in two headers, the second one %s: %s, %s', async (name, first, second) => {
    const answer = await gateway.say(
      'GET /api/v2/things HTTP/1.1\r\nhost: x\r\nconnection: close\r\n',
      `authorization: Comporta ${first}\r\n${name}: Comporta ${second}\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1.1 401 /)
    expect(answer).toContain('"reason":"the header Authorization must be sent once"')
  })

  it('needs the permission of the route', async () => {
    const answer = await gateway.ask('POST', '/api/v2/things', { key: keys.plain, body: validBody })
    expect(answer).toMatchObject(refused('access_denied', 'the API key lacks the permission checkout'))
  })

  it('suffices where a route asks for nothing more', async () => {
    const id = '01991234-5678-7000-8000-00000000000A'
    const answer = await gateway.ask('GET', `/api/v2/things/${id}`, { key: keys.plain })
    expect(answer).toMatchObject({ status: 200, json: { id: id.toLowerCase() } })
  })
})

describe('the card API', () => {
  it.each([
    `ESBToken=${esbToken}`,
    `ESB Token=${esbToken}`,
    `ESBToken ${esbToken}`,
    `esbtoken = ${esbToken}`,
  ])('takes the ESB token as "%s"', async (proxyAuthorization) => {
    const headers = { 'proxy-authorization': proxyAuthorization }
    expect(await gateway.ask('POST', '/prows/v2/things', { headers })).toMatchObject({ status: 200 })
  })

  it('accepts the ESB token alone in X-ESB-Token', async () => {
    const headers = { 'x-esb-token': esbToken }
    expect(await gateway.ask('POST', '/prows/v2/things', { headers })).toMatchObject({ status: 200 })
  })

  it('refuses two ESB tokens', async () => {
    const answer = await gateway.say(
      'POST /prows/v2/things HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 0\r\n',
      `authorization: Comporta ${keys.all}\r\n`,
      `proxy-authorization: ESBToken=${esbToken}\r\nProxy-Authorization: ESBToken=other\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1.1 401 /)
    expect(answer).toContain('"reason":"the header Proxy-Authorization must be sent once"')
  })

  it.each<[string, AskOptions, RefusalKind, string]>([
    [
      'no token',
      {},
      'invalid_esb_token',
      'the header Proxy-Authorization must be "ESBToken=<ESB token>", or X-ESB-Token the token alone',
    ],
    [
      'another word',
      { headers: { 'proxy-authorization': `Token=${esbToken}` } },
      'invalid_esb_token',
      'the header Proxy-Authorization must be "ESBToken=<ESB token>", or X-ESB-Token the token alone',
    ],
    [
      'a wrong token',
      { headers: { 'proxy-authorization': 'ESBToken=wrong' } },
      'invalid_esb_token',
      'Proxy-Authorization must carry the ESB token of the wallet that the API key belongs to',
    ],
    [
      'a wrong token alone',
      { headers: { 'x-esb-token': 'wrong' } },
      'invalid_esb_token',
      'Proxy-Authorization must carry the ESB token of the wallet that the API key belongs to',
    ],
    [
      'an empty one',
      { headers: { 'x-esb-token': '' } },
      'invalid_esb_token',
      'Proxy-Authorization must carry the ESB token of the wallet that the API key belongs to',
    ],
    [
      'the token in both headers',
      { headers: { 'proxy-authorization': `ESBToken=${esbToken}`, 'x-esb-token': esbToken } },
      'invalid_esb_token',
      'the ESB token must be sent once: in Proxy-Authorization, or in X-ESB-Token',
    ],
    [
      'no key',
      { key: null, headers: { 'proxy-authorization': `ESBToken=${esbToken}` } },
      'authentication_required',
      'the header Authorization must be "Comporta <API key>"',
    ],
    [
      'no right',
      { key: keys.plain, headers: { 'proxy-authorization': `ESBToken=${esbToken}` } },
      'access_denied',
      'the wallet lacks the right partner, which the operator gives',
    ],
    [
      'no right and no token',
      { key: keys.plain },
      'access_denied',
      'the wallet lacks the right partner, which the operator gives',
    ],
  ])('refuses %s', async (_, options, kind, reason) => {
    expect(await gateway.ask('POST', '/prows/v2/things', options)).toMatchObject(refused(kind, reason))
  })
})
