// Malformed input: a 4xx with a clear reason, and no effect.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RefusalKind } from '../../src/kernel/result.ts'
import {
  type AskOptions,
  firstAnswer,
  type Gateway,
  keys,
  openGateway,
  refused,
  validBody,
} from './gateway.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await openGateway()
})
afterAll(() => gateway.close())

const paymentWith = (fields: string) => `{"payment":{"amount":1,"currency":"EUR",${fields}}}`
const uuid = '01991234-5678-7000-8000-000000000000'

describe('bodies', () => {
  it.each<[string, unknown, RefusalKind, RegExp]>([
    ['nothing', undefined, 'missing_parameter', /^payment is required$/],
    ['an empty text', '', 'missing_parameter', /^payment is required$/],
    ['whitespace', '  \n', 'invalid_json', /^the body must be JSON/],
    ['null', 'null', 'missing_parameter', /^payment is required$/],
    ['an array', '[]', 'invalid_parameter', /^the body must be an object$/],
    ['a text', '"x"', 'invalid_parameter', /^the body must be an object$/],
    ['a number', '7', 'invalid_parameter', /^the body must be an object$/],
    ['a huge number', '1e999', 'invalid_parameter', /^the body must be a number of at most 15/],
    ['half an object', '{"payment":', 'invalid_json', /^the body must be JSON/],
    ['XML', '<payment/>', 'invalid_json', /^the body must be JSON/],
    ['no amount', '{"payment":{"currency":"EUR"}}', 'missing_parameter', /^payment\.amount is required$/],
    [
      'amount null',
      '{"payment":{"amount":null,"currency":"EUR"}}',
      'invalid_parameter',
      /^payment\.amount must be a number or text$/,
    ],
    [
      'amount an object',
      '{"payment":{"amount":{},"currency":"EUR"}}',
      'invalid_parameter',
      /^payment\.amount must be a number or text$/,
    ],
    [
      'amount true',
      '{"payment":{"amount":true,"currency":"EUR"}}',
      'invalid_parameter',
      /^payment\.amount must be a number or text$/,
    ],
    [
      'amount text',
      '{"payment":{"amount":"ten","currency":"EUR"}}',
      'invalid_parameter',
      /^payment\.amount must be a number such as/,
    ],
    [
      '3 decimals',
      '{"payment":{"amount":10.555,"currency":"EUR"}}',
      'invalid_parameter',
      /^payment\.amount must have at most 2 decimals$/,
    ],
    [
      'digits a double loses',
      '{"payment":{"amount":10.50500000000000001,"currency":"EUR"}}',
      'invalid_parameter',
      /^payment\.amount must have at most 2 decimals$/,
    ],
    [
      'an amount beyond doubles',
      '{"payment":{"amount":1e400,"currency":"EUR"}}',
      'invalid_parameter',
      /^payment\.amount must have at most 12 digits/,
    ],
    [
      'a huge amount',
      '{"payment":{"amount":1e300,"currency":"EUR"}}',
      'invalid_parameter',
      /^payment\.amount must have at most 12 digits/,
    ],
    [
      'a long number for an object',
      paymentWith('"client":12345678901234567890'),
      'invalid_parameter',
      /^payment\.client must be a number of at most 15/,
    ],
    [
      'currency too long',
      '{"payment":{"amount":1,"currency":"EURO"}}',
      'invalid_parameter',
      /^payment\.currency must be at most 3 characters long$/,
    ],
    [
      'store a fraction',
      paymentWith('"store":1.5'),
      'invalid_parameter',
      /^payment\.store must be a whole number$/,
    ],
    [
      'store a text',
      paymentWith('"store":"1"'),
      'invalid_parameter',
      /^payment\.store must be a whole number$/,
    ],
    ['store zero', paymentWith('"store":0'), 'invalid_parameter', /^payment\.store must be at least 1$/],
    [
      'a flag that is text',
      paymentWith('"instant":"true"'),
      'invalid_parameter',
      /^payment\.instant must be true or false$/,
    ],
    [
      'notes too long',
      paymentWith(`"notes":"${'n'.repeat(21)}"`),
      'invalid_parameter',
      /^payment\.notes must be at most 20 characters long$/,
    ],
    [
      'notes a number',
      paymentWith('"notes":5'),
      'invalid_parameter',
      /^payment\.notes must be text or null$/,
    ],
    ['items an object', paymentWith('"items":{}'), 'invalid_parameter', /^payment\.items must be an array$/],
    [
      'too many items',
      paymentWith('"items":[{},{},{},{}]'),
      'invalid_parameter',
      /^payment\.items must be an array of at most 3 items$/,
    ],
    [
      'an item null',
      paymentWith('"items":[{},null]'),
      'invalid_parameter',
      /^payment\.items\[1\] must be an object$/,
    ],
    [
      'a quantity text',
      paymentWith('"items":[{"qt":"2"}]'),
      'invalid_parameter',
      /^payment\.items\[0\]\.qt must be a whole number$/,
    ],
    [
      'a reference array',
      paymentWith('"items":[{"ref":[]}]'),
      'invalid_parameter',
      /^payment\.items\[0\]\.ref must be text or a number$/,
    ],
    [
      'NUL',
      paymentWith('"notes":"a\\u0000b"'),
      'invalid_parameter',
      /^payment\.notes must be text without NUL/,
    ],
    [
      'NUL in a field nobody reads',
      paymentWith('"x":["\\u0000"]'),
      'invalid_parameter',
      /^payment\.x\[0\] must be text without NUL/,
    ],
    [
      'half a surrogate pair',
      paymentWith('"notes":"\\ud83d"'),
      'invalid_parameter',
      /^payment\.notes must be text without NUL/,
    ],
    ['a raw control character', paymentWith('"notes":"a\u0007b"'), 'invalid_json', /^the body must be JSON/],
    [
      'a key twice',
      '{"payment":{"amount":1,"amount":100,"currency":"EUR"}}',
      'invalid_json',
      /twice: payment\.amount$/,
    ],
    [
      'a key twice with one value',
      '{"payment":{"amount":1,"currency":"EUR","currency":"EUR"}}',
      'invalid_json',
      /twice: payment\.currency$/,
    ],
    ['depth', `{"payment":${'['.repeat(30)}${']'.repeat(30)}}`, 'invalid_json', /deeper than 20 levels$/],
    ['endless depth', '{"a":'.repeat(10_000), 'invalid_json', /deeper than 20 levels$/],
    ['invalid UTF-8', Buffer.from('{"payment":"\xff"}', 'latin1'), 'invalid_json', /valid UTF-8$/],
    [
      'an invalid request_id',
      '{"payment":{"amount":1,"currency":"EUR"},"request_id":"7"}',
      'invalid_parameter',
      /^request_id must be a UUID$/,
    ],
    [
      'a card number in a text',
      paymentWith('"client":{"name":"Ana 4176 6600 0000 0027"}'),
      'invalid_parameter',
      /^payment\.client\.name must not hold a card number$/,
    ],
    ...[
      '4176\u20136600\u20130000\u20130027',
      '4176,6600,0000,0027',
      '4176\u200b6600\u200b0000\u200b0027',
      '٤١٧٦/６６００/०००० 0027',
      '4 1 7 6 6 6 0 0 0 0 0 0 0 0 2 7',
      '4176.6600.0000.0027 12/30',
    ].map((written): [string, unknown, RefusalKind, RegExp] => [
      `a card number as ${written}`,
      paymentWith(`"client":{"name":"Ana ${written}"}`),
      'invalid_parameter',
      /^payment\.client\.name must not hold a card number$/,
    ]),
    [
      'a card number as a number',
      paymentWith('"items":[{},{"ref":4176660000000027}]'),
      'invalid_parameter',
      /^payment\.items\[1\]\.ref must not hold a card number$/,
    ],
    [
      'a card number as a key twice',
      paymentWith('"4176660000000027":1,"4176660000000027":2'),
      'invalid_json',
      /twice: payment\."…"$/,
    ],
    [
      'a card number as the key of an invalid text',
      paymentWith('"pan 4176-6600-0000-0027":"\\u0000"'),
      'invalid_parameter',
      /^payment\."pan …" must be text/,
    ],
    ['more than 64 KiB', `{"x":"${'x'.repeat(65_536)}"}`, 'body_too_large', /65536 bytes$/],
  ])('%s', async (_, body, kind, reason) => {
    expect(await gateway.ask('POST', '/api/v2/things', { body })).toMatchObject(refused(kind, reason))
  })

  it.each(['text/plain;charset=UTF-8', 'application/x-www-form-urlencoded', 'application/octet-stream'])(
    'that is empty is an absent one, also as %s',
    async (type) => {
      expect(
        await gateway.ask('POST', '/api/v2/things', { body: '', headers: { 'content-type': type } }),
      ).toMatchObject(refused('missing_parameter', /^payment is required$/))
    },
  )

  it.each<[string, AskOptions, RefusalKind]>([
    ['multipart', { headers: { 'content-type': 'multipart/form-data; boundary=x' } }, 'invalid_content_type'],
    [
      'JSON in Latin-1',
      { headers: { 'content-type': 'application/json;charset=latin1' } },
      'invalid_content_type',
    ],
    [
      'JSON in UTF-16',
      { headers: { 'content-type': 'application/json; x=1; charset="utf-16"' } },
      'invalid_content_type',
    ],
    ['an empty type', { headers: { 'content-type': '' } }, 'invalid_content_type'],
    ['nonsense', { headers: { 'content-type': ';;;' } }, 'invalid_content_type'],
    ['ld+json', { headers: { 'content-type': 'application/ld+json' } }, 'invalid_content_type'],
  ])('as %s', async (_, options, kind) => {
    expect(await gateway.ask('POST', '/api/v2/things', { body: validBody, ...options })).toMatchObject(
      refused(kind),
    )
  })

  it.each([
    'application/json',
    'application/json;charset=utf-8',
    'application/json; charset="UTF-8"',
    'Application/JSON; charset=utf8',
    'application/json; profile=x',
    'text/plain',
    'application/x-www-form-urlencoded',
  ])('are read as %s', async (type) => {
    const answer = await gateway.ask('POST', '/api/v2/things', {
      body: validBody,
      headers: { 'content-type': type },
    })
    expect(answer).toMatchObject({ status: 200, json: { cents: '1050' } })
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  })

  it('may be absent where every field is optional', async () => {
    for (const body of [undefined, '', '{}', 'null']) {
      const answer = await gateway.ask('POST', `/api/v2/things/${uuid}/poke`, { body })
      expect(answer).toMatchObject({ status: 200, json: { how: 'softly' } })
    }
  })

  it('reach a handler only if they are valid', async () => {
    const json = fc.json({ maxDepth: 4 })
    const damaged = fc
      .tuple(fc.uint8Array({ maxLength: 200 }), json)
      .map(([bytes, text]) => Buffer.concat([Buffer.from(text), bytes]))
    const nearly = fc
      .record({
        amount: fc.oneof(fc.double(), fc.string(), fc.constant(5)),
        currency: fc.oneof(fc.constant('EUR'), fc.anything()),
        items: fc.anything(),
        client: fc.anything(),
      })
      .map((payment) =>
        JSON.stringify({ payment }, (_key, value) => (typeof value === 'bigint' ? String(value) : value)),
      )
    await fc.assert(
      fc.asyncProperty(fc.oneof(json, damaged, nearly), async (body) => {
        const before = gateway.received.length
        const { status, json: answer } = await gateway.ask('POST', '/api/v2/things', { body })
        expect(status).toBeLessThan(500)
        expect(gateway.received.length - before).toBe(status === 200 ? 1 : 0)
        if (status !== 200)
          expect(answer).toMatchObject({ code: expect.any(Number), reason: expect.stringMatching(/\S/) })
      }),
      { numRuns: 300 },
    )
    expect(gateway.logged).toEqual([])
  })
})

describe('paths and methods', () => {
  it.each<[string, string, RefusalKind]>([
    ['GET', '/', 'endpoint_not_found'],
    ['GET', '/api/v2', 'endpoint_not_found'],
    ['GET', '/api/v2/THINGS', 'endpoint_not_found'],
    ['POST', '/api/v2/things/x/y/z', 'endpoint_not_found'],
    ['GET', '/api/v2/things/not-a-uuid', 'not_found'],
    ['GET', `/api/v2/things/${'9'.repeat(300)}`, 'not_found'],
    ['GET', '/api/v2/things/%00', 'not_found'],
    ['GET', '/api/v2/things/..%2f..%2fetc%2fpasswd', 'not_found'],
    ['DELETE', '/api/v2/things/1%27%20or%201=1--', 'not_found'],
    ['GET', `/api/v2/things/${uuid}%00`, 'not_found'],
    ['PUT', '/api/v2/things', 'action_not_found'],
    ['DELETE', '/api/v2/things', 'action_not_found'],
    ['OPTIONS', '/api/v2/things', 'action_not_found'],
    ['TRACE', '/api/v2/things', 'action_not_found'],
    ['PROPFIND', '/api/v2/things', 'action_not_found'],
    ['POST', '/healthz', 'action_not_found'],
    ['PROPFIND', '/nowhere', 'endpoint_not_found'],
  ])('%s %s', async (method, path, kind) => {
    const answer = await gateway.say(
      `${method} ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Comporta ${keys.all}\r\nconnection: close\r\n\r\n`,
    )
    expect(firstAnswer(answer)).toMatchObject(refused(kind))
  })

  it.each<[string, RefusalKind]>([
    ['/api/v2/../v2/things', 'endpoint_not_found'],
    ['/api/v2/./things', 'endpoint_not_found'],
    ['/api//v2/things', 'endpoint_not_found'],
    ['/%zz', 'endpoint_not_found'],
    ['/api/v2/things/%zz', 'endpoint_not_found'],
    ['/api/v2/things/%ff', 'endpoint_not_found'],
    ['/api/v2/things%00', 'endpoint_not_found'],
    ['/api/v2/%2e%2e/things', 'endpoint_not_found'],
    ['/api/v2/things;x=1', 'endpoint_not_found'],
    ['*', 'endpoint_not_found'],
    ['http://other.example/nowhere', 'endpoint_not_found'],
    [`/${'a'.repeat(10_000)}`, 'endpoint_not_found'],
    ['/api/v2/things?offset=-1', 'invalid_parameter'],
    ['/api/v2/things?limit=0', 'invalid_parameter'],
    ['/api/v2/things?limit=ten', 'invalid_parameter'],
    ['/api/v2/things?limit=1&limit=2', 'invalid_parameter'],
    ['/api/v2/things?ref=%00', 'invalid_parameter'],
    ['/api/v2/things?all=perhaps', 'invalid_parameter'],
  ])('GET %s', async (path, kind) => {
    const answer = await gateway.say(
      `GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Comporta ${keys.all}\r\nconnection: close\r\n\r\n`,
    )
    expect(firstAnswer(answer)).toMatchObject(refused(kind))
  })

  it.each([
    ['/api/v2/things/', { offset: 0, limit: 10 }],
    ['/api/v2/things?limit=30&offset=2&unknown=x&ref=a%20b', { offset: 2, limit: 30, ref: 'a b' }],
    ['/api/v2/things?all=true', { offset: 0, limit: 10, all: true }],
    ['/api/v2/things?&&=&ref=%zz', { offset: 0, limit: 10, ref: '%zz' }],
  ])('GET %s is read', async (path, json) => {
    expect(await gateway.ask('GET', path)).toMatchObject({ status: 200, json })
  })

  it('lists the methods that a path has', async () => {
    const put = await gateway.ask('PUT', '/api/v2/things', { body: '{' })
    expect(put.headers.allow).toBe('GET, HEAD, POST')
    expect((await gateway.ask('POST', `/api/v2/things/${uuid}/`)).headers.allow).toBe('GET, HEAD, DELETE')
  })

  it('answers HEAD as GET, without the body', async () => {
    const answer = await gateway.say(
      `HEAD /api/v2/things HTTP/1.1\r\nhost: x\r\nauthorization: Comporta ${keys.all}\r\nconnection: close\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*content-length: 23\r\n[\s\S]*\r\n\r\n$/)
  })

  it('refuses an unknown path before it reads a body', async () => {
    const answer = await gateway.ask('POST', '/nowhere', {
      body: '{{{{',
      headers: { 'content-type': 'text/x' },
    })
    expect(answer).toMatchObject(refused('endpoint_not_found'))
  })
})

describe('bytes that are hardly HTTP', () => {
  const start = (lines: string) =>
    `POST /api/v2/things HTTP/1.1\r\nhost: x\r\nauthorization: Comporta ${keys.all}\r\n${lines}`
  it.each<[string, string, number, number]>([
    ['an unknown method', 'FROB / HTTP/1.1\r\n\r\n', 400, 10002],
    ['no HTTP at all', 'hello\r\n\r\n', 400, 10002],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400, 10002],
    ['a version of the future', 'GET / HTTP/9.9\r\n\r\n', 400, 10002],
    ['a space in the path', 'GET /a b HTTP/1.1\r\n\r\n', 400, 10002],
    ['NUL in a header', 'GET / HTTP/1.1\r\nx: a\0b\r\n\r\n', 400, 10002],
    ['a header without a colon', 'GET / HTTP/1.1\r\nnonsense\r\n\r\n', 400, 10002],
    ['no host', 'GET /nowhere HTTP/1.1\r\n\r\n', 404, 10005],
    ['a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nhost: x\r\n\r\n', 400, 10002],
    ['an expectation', 'GET /nowhere HTTP/1.1\r\nhost: x\r\nexpect: miracles\r\n\r\n', 404, 10005],
    [
      'an upgrade',
      'GET /nowhere HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
      404,
      10005,
    ],
    ['a flood of headers', `GET / HTTP/1.1\r\n${`x: ${'y'.repeat(1000)}\r\n`.repeat(40)}\r\n`, 431, 10002],
    ['a header too long', `GET / HTTP/1.1\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 431, 10002],
    ['a path too long', `GET /${'y'.repeat(20_000)} HTTP/1.1\r\n\r\n`, 431, 10002],
    ['lengths that differ', start('content-length: 2\r\ncontent-length: 3\r\n\r\n{}'), 400, 10002],
    ['a negative length', start('content-type: application/json\r\ncontent-length: -1\r\n\r\n'), 400, 10002],
    [
      'length and chunks',
      start('content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'),
      400,
      10002,
    ],
    ['two hosts', 'GET /healthz HTTP/1.1\r\nhost: x\r\nHost: y\r\n\r\n', 400, 10002],
    ['two hosts of one name', start('host: x\r\ncontent-length: 2\r\n\r\n{}'), 400, 10002],
    ['two hosts, and no path', 'GET /nowhere HTTP/1.1\r\nHOST: x\r\nhost:\r\n\r\n', 400, 10002],
    [
      'chunks in HTTP/1.0',
      start('transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n').replace('HTTP/1.1', 'HTTP/1.0'),
      400,
      10002,
    ],
    [
      'an invalid chunk',
      start('content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n'),
      400,
      10002,
    ],
    [
      'a chunk longer than said',
      start('content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n1\r\n{}\r\n0\r\n\r\n'),
      400,
      10002,
    ],
    [
      'a huge chunk',
      start('content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\n{}'),
      400,
      10002,
    ],
    [
      'chunks beyond the limit',
      start(
        `content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${`1000\r\n${'x'.repeat(4096)}\r\n`.repeat(20)}`,
      ),
      413,
      10016,
    ],
    [
      'a body said to be too long',
      start('content-type: application/json\r\ncontent-length: 99999999\r\n\r\n{'),
      413,
      10016,
    ],
    ['chunks without a type', start('transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'), 400, 10001],
    [
      'gzip',
      start(
        'content-type: application/json\r\ncontent-encoding: gzip\r\ncontent-length: 3\r\n\r\n\x1f\x8b\x08',
      ),
      400,
      10009,
    ],
    [
      'an unknown transfer',
      start('content-type: application/json\r\ntransfer-encoding: gzip\r\n\r\n'),
      400,
      10002,
    ],
  ])('%s', async (_, bytes, status, code) => {
    const answer = firstAnswer(await gateway.say(Buffer.from(bytes, 'latin1')))
    expect(answer).toMatchObject({
      status,
      json: { code, reason: expect.stringMatching(/\S/), tid: expect.any(String) },
    })
  })

  it('waits for the rest of a body that never comes, and serves others meanwhile', async () => {
    const silent = gateway.say(start('content-type: application/json\r\ncontent-length: 100\r\n\r\n{'))
    expect(await gateway.ask('GET', '/healthz')).toMatchObject({ status: 200 })
    expect(await silent).toBe('')
  })

  it.each([
    ['two hosts', 'GET /healthz HTTP/1.1\r\nhost: x\r\nhost: y\r\n\r\n'],
    [
      'chunks in HTTP/1.0',
      'POST /x HTTP/1.0\r\nconnection: keep-alive\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
  ])('answers nothing on a connection that brought %s', async (_, bytes) => {
    const answer = await gateway.say(`${bytes}GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n`)
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400'])
  })

  it('answers requests sent at once in their order', async () => {
    const get = (path: string, rest = '') => `GET ${path} HTTP/1.1\r\nhost: x\r\n${rest}\r\n`
    const answer = await gateway.say(
      get('/healthz') + get('/nowhere') + get('/readyz', 'connection: close\r\n'),
    )
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404', 'HTTP/1.1 200'])
  })
})
