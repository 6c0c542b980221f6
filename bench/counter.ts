// Receiver of callbacks: answers 200 at once and counts operations by path.
import { createServer, type Socket } from 'node:net'
import type { Received } from './load.ts'

interface Counted {
  callbacks: number
  lastAt: number
  readonly operations: Set<string>
}

const counted = new Map<string, Counted>()
const answer = Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
const lengthPattern = /\r\ncontent-length: (\d+)/i
const operationName = '"operation_id":"'
const uuidLength = 36

const server = createServer({ noDelay: true }, serve)
server.listen({ port: 0, host: '127.0.0.1', backlog: 1024 }, () => {
  process.send?.((server.address() as { port: number }).port)
})
process.on('message', (path: string) => {
  const { callbacks = 0, lastAt = 0, operations } = counted.get(path) ?? {}
  process.send?.({ callbacks, lastAt, operations: operations?.size ?? 0 } satisfies Received)
})
process.on('SIGINT', () => undefined)
process.on('disconnect', () => process.exit())

function serve(socket: Socket): void {
  let received = ''
  socket.setEncoding('latin1')
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk) => {
    received += chunk
    for (;;) {
      const headEnd = received.indexOf('\r\n\r\n')
      if (headEnd === -1) return
      const length = Number(lengthPattern.exec(received)?.[1] ?? 0)
      const bodyEnd = headEnd + 4 + length
      if (received.length < bodyEnd) return
      count(received.slice(received.indexOf(' ') + 1, received.indexOf(' HTTP/')), received, headEnd)
      received = received.slice(bodyEnd)
      socket.write(answer)
    }
  })
}

function count(path: string, text: string, bodyBegin: number): void {
  const known: Counted = counted.get(path) ?? { callbacks: 0, lastAt: 0, operations: new Set() }
  counted.set(path, known)
  known.callbacks += 1
  known.lastAt = Date.now()
  const at = text.indexOf(operationName, bodyBegin) + operationName.length
  known.operations.add(text.slice(at, at + uuidLength))
}
