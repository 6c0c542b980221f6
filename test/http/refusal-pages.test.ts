// Refusals as pages.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AppRequest, PeopleGuard, RenderRefusal } from '../../src/http/index.ts'
import { type Gateway, openGateway, refused } from './gateway.ts'

const renderRefusal: RenderRefusal = ({ id }: AppRequest, { kind }, status) => ({
  html: `<h1>${status} ${kind} ${id}</h1>`,
  headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': "default-src 'none'" },
})

let gateway: Gateway
beforeAll(async () => {
  const people: PeopleGuard = {
    prefix: '/guide/api',
    admit: async () => undefined,
    admitAgain: async () => undefined,
    beforeHandler: async () => undefined,
    afterAnswer() {},
  }
  gateway = await openGateway({ rateLimits: true }, { renderRefusal, people })
})
afterAll(() => gateway.close())

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }

/** Posts a form that our pages would not send. */
function post(headers: Record<string, string>, body = 'a=1&a=2', from = '203.0.113.1') {
  const all = { ...form, 'x-forwarded-for': from, ...headers }
  return gateway.ask('POST', '/page/1', { key: null, headers: all, body })
}

describe('on a page', () => {
  it.each([
    ['a broken form', browser, 'a=1&a=2', 400, 'invalid_parameter'],
    ['no wish at all', {}, 'a=1&a=2', 400, 'invalid_parameter'],
    ['another kind of body', { ...browser, 'content-type': 'text/plain' }, 'x', 415, 'invalid_content_type'],
    ['a large body', browser, `a=${'x'.repeat(70_000)}`, 413, 'body_too_large'],
  ] as const)('%s is answered with a page', async (_name, headers, body, status, kind) => {
    const answer = await post(headers, body)
    expect(answer.status).toBe(status)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'",
    })
    expect(answer.text).toBe(`<h1>${status} ${kind} ${answer.headers['x-request-id']}</h1>`)
  })

  it('a limit is, too, and says when to come back', async () => {
    const from = '203.0.113.2'
    const postBeyondTheLimit = () => {
      while (gateway.app.http.limiters?.pages.take(from).allowed === true);
      return post(browser, 'a=1', from)
    }
    // A slow machine refills the limit by one.
    await expect.poll(postBeyondTheLimit).toMatchObject({
      status: 429,
      text: expect.stringContaining('429 too_many_requests'),
      headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
    })
  })

  it.each(['/page/%zz', '/page/%ff', '/page/1/nothing'])(
    'an invalid address (%s) is answered with a page',
    async (path) => {
      const answer = await gateway.ask('GET', path, { key: null, headers: browser })
      expect(answer.status).toBe(404)
      expect(answer.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'x-frame-options': 'SAMEORIGIN',
        'cache-control': 'no-store',
      })
      expect(answer.text).toMatch(/^<h1>404 /)
      const json = await gateway.ask('GET', path, { key: null, headers: { accept: 'application/json' } })
      expect(json).toMatchObject({ status: 404, json: { tid: expect.any(String) } })
    },
  )

  it('an unknown address under pages gets a page, under their API JSON', async () => {
    const paths = ['/guide/%ff', '/guide/api/%ff']
    const [guide, api] = await Promise.all(
      paths.map((path) => gateway.ask('GET', path, { key: null, headers: browser })),
    )
    expect(guide).toMatchObject({ status: 404, text: expect.stringMatching(/^<h1>404 /) })
    expect(api).toMatchObject(refused('endpoint_not_found'))
  })

  it.each(['/docs', '/docs/', '/docs/checkout'])(
    'a guide that is not built says so and loads again (%s)',
    async (path) => {
      const answer = await gateway.ask('GET', path, { key: null, headers: browser })
      expect(answer).toMatchObject({
        status: 503,
        headers: { 'retry-after': '3', 'cache-control': 'no-store' },
      })
      expect(answer.text).toMatch(/http-equiv="refresh" content="3".*is not built yet/s)
    },
  )

  it('a program that wants JSON gets JSON', async () => {
    expect(await post({ accept: 'application/json' })).toMatchObject(refused('invalid_parameter'))
  })
})

it('the API answers JSON, also to a browser', async () => {
  const answer = await gateway.ask('GET', '/api/v2/faults/database', { headers: browser })
  expect(answer).toMatchObject(refused('service_unavailable'))
})
