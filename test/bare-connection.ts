// HTTP connections that cost little, for tests with many of them and for load.
import { connect } from 'node:net'

export interface BareAnswer {
  readonly status: number
  readonly head: string
  readonly body: string
}

export interface BareConnection {
  /** Sends one request at a time; `onAnswer` gets the answer. */
  send(request: string | Buffer): void
  close(): void
}

export interface BareHandlers {
  onOpen?(): void
  onAnswer(answer: BareAnswer): void
  onEnd(reason: string): void
}

/** Opens a connection to this machine. Reads only answers with a Content-Length. */
export function openConnection(port: number, handlers: BareHandlers): BareConnection {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let closed = false
  let received = ''
  const end = (reason: string) => {
    if (!closed) handlers.onEnd(reason)
    closed = true
    socket.destroy()
  }
  socket.setEncoding('latin1')
  socket.on('connect', () => handlers.onOpen?.())
  socket.on('error', (error) => end(error.message))
  socket.on('close', () => end('closed'))
  socket.on('data', (chunk) => {
    received += chunk
    const headEnd = received.indexOf('\r\n\r\n')
    if (headEnd === -1) return
    const head = received.slice(0, headEnd)
    const length = lengthIn(head)
    if (length === undefined) return end(`an answer without Content-Length: ${head}`)
    const bodyEnd = headEnd + 4 + length
    if (received.length < bodyEnd) return
    const body = received.slice(headEnd + 4, bodyEnd)
    received = received.slice(bodyEnd)
    handlers.onAnswer({ status: Number(head.slice(9, 12)), head, body })
  })
  return {
    send: (request) => void socket.write(request),
    close() {
      closed = true
      socket.destroy()
    },
  }
}

const lengthName = '\r\ncontent-length: '

function lengthIn(head: string): number | undefined {
  const at = head.indexOf(lengthName)
  if (at === -1) return undefined
  return Number.parseInt(head.slice(at + lengthName.length, at + lengthName.length + 12), 10)
}

export function bareRequest(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Buffer {
  const lines = [`${method} ${path} HTTP/1.1`, 'host: 127.0.0.1']
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
  if (body !== undefined) lines.push(`content-length: ${Buffer.byteLength(body)}`)
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`)
}
