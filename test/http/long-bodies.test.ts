// Refusals before the body has arrived.
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstAnswer, type Gateway, keys, openGateway, refused } from './gateway.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await openGateway()
})
afterAll(() => gateway.close())

const kibibyte = 1024
const mebibyte = 1024 * kibibyte

interface Sent {
  readonly answer: string
  /** Bytes sent before the connection closed. */
  readonly bytes: number
}

/** Sends `length` bytes, and reads only after `readsAfter`. */
function send(head: string, length: number, readsAfter: number): Promise<Sent> {
  const { promise, resolve } = Promise.withResolvers<Sent>()
  const socket = connect(gateway.port, '127.0.0.1')
  const piece = Buffer.alloc(64 * kibibyte, ' ')
  let answer = ''
  let bytes = 0
  const read = () =>
    socket.on('data', (chunk) => {
      answer += chunk
    })
  const more = () => {
    if (bytes >= readsAfter && socket.listenerCount('data') === 0) read()
    if (bytes >= length || socket.destroyed) return
    bytes += piece.length
    socket.write(piece, more)
  }
  socket.once('connect', () => socket.write(head, more))
  socket.once('error', () => socket.destroy())
  socket.once('close', () => resolve({ answer, bytes }))
  return promise
}

const head = (path: string, key: string, length: number | 'chunked') =>
  [
    `POST ${path} HTTP/1.1`,
    'host: shop.example',
    `authorization: Comporta ${key}`,
    'content-type: application/json',
    length === 'chunked' ? 'transfer-encoding: chunked' : `content-length: ${length}`,
    '\r\n',
  ].join('\r\n')

describe('a long body that is sent before anything is read', () => {
  const length = 900 * kibibyte
  it.each([
    ['that nobody reads', '/api/v2/things', keys.all, refused('body_too_large')],
    ['of a stranger', '/api/v2/things', 'key-unknown', refused('invalid_api_key')],
    ['for an unknown path', '/api/v2/nothing', keys.all, refused('endpoint_not_found')],
  ])('%s has its answer', async (_what, path, key, expected) => {
    const sent = await send(head(path, key, length), length, length)
    expect(firstAnswer(sent.answer)).toMatchObject(expected)
    expect(sent.answer).toMatch(/^connection: close/im)
    expect(gateway.received).toEqual([])
  })
})

const wholeChunk = `${(64 * mebibyte).toString(16)}\r\n`
it.each([
  ['that is too long', head('/api/v2/things', keys.all, 64 * mebibyte), refused('body_too_large')],
  ['for an unknown path', head('/api/v2/nothing', keys.all, 64 * mebibyte), refused('endpoint_not_found')],
  ['in a chunk', head('/api/v2/things', keys.all, 'chunked') + wholeChunk, refused('body_too_large')],
])(
  'a body of 64 MiB, %s, is not read on, and has its answer meanwhile',
  async (_what, beginning, expected) => {
    const sent = await send(beginning, 64 * mebibyte, 0)
    expect(firstAnswer(sent.answer)).toMatchObject(expected)
    // The buffers of the sockets hold less than half of the body.
    expect(sent.bytes).toBeLessThan(32 * mebibyte)
  },
)

it('a short body that is refused leaves its connection open for the next request', async () => {
  const body = JSON.stringify({ payment: {} })
  const short = head('/api/v2/nothing', keys.all, body.length) + body
  const answer = await gateway.say(short, short)
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 404', 'HTTP/1.1 404'])
})

describe('a client that sends Expect: 100-continue', () => {
  const asking = (length: number) =>
    head('/api/v2/things', keys.all, length).replace('\r\n\r\n', '\r\nexpect: 100-continue\r\n\r\n')

  it('gets 100 Continue', async () => {
    const body = JSON.stringify({ payment: { amount: 1, currency: 'EUR' } })
    const answer = await gateway.say(asking(body.length), body)
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 100', 'HTTP/1.1 200'])
  })

  it('is refused at once where it would be too long', async () => {
    const answer = await gateway.say(asking(900 * kibibyte))
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413'])
  })
})
