// Receiver of callbacks: answers 200 at once and counts operations by path.
import type { Received } from './load.ts'
import { serve } from './serve.ts'

interface Counted {
  callbacks: number
  lastAt: number
  readonly operations: Set<string>
}

const counted = new Map<string, Counted>()
const answer = Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
const operationName = '"operation_id":"'
const uuidLength = 36

process.on('message', (path: string) => {
  const { callbacks = 0, lastAt = 0, operations } = counted.get(path) ?? {}
  process.send?.({ callbacks, lastAt, operations: operations?.size ?? 0 } satisfies Received)
})

serve((socket, head, body) => {
  const path = head.slice(head.indexOf(' ') + 1, head.indexOf(' HTTP/'))
  const known: Counted = counted.get(path) ?? { callbacks: 0, lastAt: 0, operations: new Set() }
  counted.set(path, known)
  known.callbacks += 1
  known.lastAt = Date.now()
  const at = body.indexOf(operationName) + operationName.length
  known.operations.add(body.slice(at, at + uuidLength))
  socket.write(answer)
})
