// Ids, headers and errors of answers (CONTRACT sections 2 and 3).
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorTable } from '../../src/http/index.ts'
import { isUuid } from '../../src/kernel/random.ts'
import type { RefusalKind } from '../../src/kernel/result.ts'
import { type Gateway, keys, openGateway, refused, validBody } from './gateway.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await openGateway()
})
afterAll(() => gateway.close())

describe('every answer', () => {
  it('carries an id of ours, which is the tid of errors', async () => {
    const headers = { 'x-request-id': 'mine' }
    const ids = [
      await gateway.ask('POST', '/api/v2/things', { body: validBody, headers }),
      await gateway.ask('GET', '/healthz', { headers }),
      await gateway.ask('GET', '/openapi.json', { headers }),
      await gateway.ask('GET', '/api/v2/faults/bug', { headers }),
      await gateway.ask('GET', '/nowhere', { headers }),
      await gateway.ask('GET', '/%zz', { headers }),
    ].map((answer) => {
      const id = answer.headers['x-request-id'] as string
      expect(id).toSatisfy(isUuid)
      if (answer.status >= 400) expect(answer.json).toMatchObject({ tid: id })
      return id
    })
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('of the API is JSON that is not cached, framed or sniffed', async () => {
    for (const path of ['/api/v2/things', '/nowhere', '/api/v2/faults/bug']) {
      expect((await gateway.ask('GET', path)).headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none';frame-ancestors 'none'",
        'strict-transport-security': expect.stringContaining('max-age='),
      })
    }
  })

  it('that is a page cannot be framed', async () => {
    const { headers } = await gateway.ask('POST', '/page/1', { key: null })
    expect(headers).toMatchObject({
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
      'x-frame-options': 'SAMEORIGIN',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    })
  })
})

describe('refusals', () => {
  it.each(Object.keys(errorTable) as RefusalKind[])('%s', async (kind) => {
    const answer = await gateway.ask('GET', `/api/v2/faults/${kind}`)
    expect(answer).toMatchObject(refused(kind, 'because'))
    expect((answer.json as { operation_id?: string }).operation_id).toBe(
      kind === 'card_declined' ? '0199' : undefined,
    )
  })

  it('a bug answers 19999, and only the log knows more', async () => {
    const answer = await gateway.ask('GET', '/api/v2/faults/bug')
    expect(answer).toMatchObject(
      refused('internal_error', 'bug in the gateway: send the tid to the operator'),
    )
    expect(gateway.logged.at(-1)).toMatchObject({
      details: { tid: answer.headers['x-request-id'], route: '/api/v2/faults/:kind', err: expect.any(Error) },
    })
  })

  it('a database out of reach answers 20008', async () => {
    const answer = await gateway.ask('GET', '/api/v2/faults/database')
    expect(answer).toMatchObject(refused('service_unavailable', 'the database is unavailable'))
  })

  it('the table of CONTRACT section 3 is whole, and docs/errors.md shows it', async () => {
    const rows = (await readFile(new URL('../../docs/errors.md', import.meta.url), 'utf8'))
      .split('\n')
      .filter((line) => line.startsWith('| <a id='))
      .map((line) => line.replace(/ +\|/g, ' |'))
    const expected = Object.values(errorTable).map(({ code, status, message, when }) =>
      expect.stringContaining(`| <a id="${code}"></a>${code} | ${status} | ${message} | ${when} |`),
    )
    expect(rows).toEqual(expected)
    expect(Object.values(errorTable).filter(({ advice }) => !/^[A-Z`].{10,}\.$/.test(advice))).toEqual([])
    expect(new Set(Object.values(errorTable).map(({ code }) => code)).size).toBe(expected.length)
  })
})

describe('request ids', () => {
  const id = '01991234-5678-7000-8000-00000000000A'
  it.each([
    ['at the top', { ...validBody, request_id: id }, {}],
    ['in the payment', { payment: { ...validBody.payment, request_id: id } }, {}],
    ['in the header', validBody, { 'idempotency-key': id }],
  ])('are read %s', async (_, body, headers) => {
    const answer = await gateway.ask('POST', '/api/v2/things', { body, headers })
    expect(answer.json).toMatchObject({ cents: '1050', id: id.toLowerCase() })
  })
})

it('reads forms on pages, each field once', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const post = (body: string) => gateway.ask('POST', '/page/1', { key: null, headers, body })
  expect((await post('name=Jos%C3%A9+Silva&vcode=123&__proto__=x')).text).toBe(
    '<p>{"name":"José Silva","vcode":"123","__proto__":"x"}',
  )
  expect(await post('a=1&a=2')).toMatchObject(
    refused('invalid_parameter', 'the form must hold each field once'),
  )
  expect(await post('a=%00')).toMatchObject(refused('invalid_parameter', 'the form must hold no NUL'))
})

it('counts requests by route for Prometheus, not by path', async () => {
  await gateway.ask('GET', '/api/v2/things/secret-in-path', { key: keys.all })
  const { text, headers } = await gateway.ask('GET', '/metrics', { key: null })
  expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/)
  expect(text).toContain(
    'http_request_duration_seconds_count{method="POST",route="/api/v2/things",status="2xx"}',
  )
  expect(text).toMatch(
    /http_request_duration_seconds_bucket\{method="GET",route="\/api\/v2\/things\/:id",status="4xx",le="\+Inf"\} \d+/,
  )
  expect(text).toContain('process_resident_memory_bytes')
  expect(text).not.toContain('secret-in-path')
})
