// An HTTP client that sends the bytes of a request as they are, even if they are wrong.
import { connect } from 'node:net'

export interface RawRequest {
  readonly method: string
  readonly target: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body?: string | undefined
  readonly framing?: 'length' | 'chunked' | 'broken chunks' | 'too short' | 'both' | 'none' | undefined
}

export interface RawAnswer {
  /** 0 if the connection ended without an answer, or if no answer came in time. */
  readonly status: number
  readonly head: string
  readonly body: string
  readonly milliseconds: number
}

/** Longer than any answer may take. After this time the client returns the bytes that it has. */
const waitMsUsual = 30_000
/** An event stream does not end, so the client reads only its beginning. */
const streamMs = 100

export function send(port: number, request: RawRequest, waitMs = waitMsUsual): Promise<RawAnswer> {
  const began = performance.now()
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const socket = connect(port, '127.0.0.1')
    let timer = setTimeout(end, waitMs)
    function end(): void {
      clearTimeout(timer)
      socket.destroy()
      resolve(answerOf(Buffer.concat(chunks).toString(), performance.now() - began))
    }
    socket.on('connect', () => socket.write(bytesOf(request)))
    socket.on('data', (chunk: Buffer) => {
      const isFirst = chunks.length === 0
      chunks.push(chunk)
      if (isFirst && /content-type: text\/event-stream/i.test(chunk.toString('latin1'))) {
        clearTimeout(timer)
        timer = setTimeout(end, streamMs)
      }
    })
    socket.once('end', end)
    socket.once('error', end)
  })
}

function bytesOf({ method, target, headers, body = '', framing = 'length' }: RawRequest): Buffer {
  const content = Buffer.from(body)
  const length = `content-length: ${content.length}`
  const chunked = 'transfer-encoding: chunked'
  const hasBody = body !== '' || !['GET', 'HEAD', 'DELETE'].includes(method)
  const said = {
    length: hasBody ? [length] : [],
    chunked: [chunked],
    'broken chunks': [chunked],
    'too short': [`content-length: ${Math.max(0, content.length - 1)}`],
    both: [length, chunked],
    none: [],
  }[framing]
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...(headers.some(([name]) => name === 'host') ? [] : ['host: 127.0.0.1']),
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...said,
    'connection: close',
  ]
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`)
  if (framing === 'broken chunks') return Buffer.concat([head, Buffer.from('fffffffffffffffff\r\n'), content])
  if (framing !== 'chunked') return Buffer.concat([head, content])
  const chunk =
    content.length === 0
      ? []
      : [Buffer.from(`${content.length.toString(16)}\r\n`), content, Buffer.from('\r\n')]
  return Buffer.concat([head, ...chunk, Buffer.from('0\r\n\r\n')])
}

function answerOf(text: string, milliseconds: number): RawAnswer {
  const end = text.indexOf('\r\n\r\n')
  const head = end < 0 ? text : text.slice(0, end)
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0)
  const content = end < 0 ? '' : text.slice(end + 4)
  const body = /^transfer-encoding: chunked$/im.test(head) ? withoutChunkSizes(content) : content
  return { status, head, body, milliseconds }
}

function withoutChunkSizes(text: string): string {
  return text.replace(/(?:^|\r\n)[\da-f]+\r\n/g, '').replace(/\r\n\r\n$/, '')
}
