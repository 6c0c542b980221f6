// A process that sends a flood of requests and counts the answers.
import { connect, type Socket } from 'node:net'
import type { Flood } from './floods.ts'

const addresses = 8
const piece = Buffer.alloc(64 * 1024, 0x20)
const reconnectMs = 20
const slowMs = 1_000

process.once('message', (flood: Flood) => void run(flood))

async function run(flood: Flood): Promise<void> {
  const { seconds, connections } = flood
  const counts: Record<string, number> = {}
  const count = (what: string) => {
    counts[what] = (counts[what] ?? 0) + 1
  }
  const endAt = performance.now() + seconds * 1000
  await Promise.all(Array.from({ length: connections }, (_, index) => attack(flood, index, endAt, count)))
  process.send?.(counts)
  process.disconnect()
}

async function attack(
  flood: Flood,
  index: number,
  endAt: number,
  count: (what: string) => void,
): Promise<void> {
  while (performance.now() < endAt) {
    await new Promise<void>((resolve) => {
      const socket = connect({
        port: flood.port,
        host: '127.0.0.1',
        localAddress: `127.0.0.${2 + (index % addresses)}`,
      })
      const late = setTimeout(() => socket.destroy(), endAt - performance.now())
      socket.once('connect', () =>
        flood.slowly ? drip(socket, flood) : askAgain(socket, flood, index, count),
      )
      socket.once('error', ({ message }) => count(message.replace(/ 127.*/, '')))
      socket.once('close', () => {
        clearTimeout(late)
        setTimeout(resolve, reconnectMs)
      })
      if (flood.slowly) socket.on('data', (text) => countAnswers(text, count))
    })
  }
}

function askAgain(socket: Socket, flood: Flood, index: number, count: (what: string) => void): void {
  const pauseMs = (1000 * flood.connections) / flood.perSecond
  let sent = index
  let askedAt = 0
  const ask = () => {
    askedAt = performance.now()
    socket.write(flood.requests[sent++ % flood.requests.length] ?? '')
    if (flood.bodyBytes > 0) pour(socket, flood.bodyBytes)
  }
  socket.on('data', (text) => {
    for (let answers = countAnswers(text, count); answers > 0; answers--)
      setTimeout(() => socket.writable && ask(), Math.max(0, askedAt + pauseMs - performance.now()))
  })
  ask()
}

function countAnswers(text: Buffer, count: (what: string) => void): number {
  const answers = [...text.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3})/g)]
  for (const [, status] of answers) count(String(status))
  return answers.length
}

function pour(socket: Socket, bytes: number): void {
  let left = bytes
  const more = () => {
    while (left > 0 && socket.writable) {
      left -= piece.length
      if (!socket.write(piece)) {
        socket.once('drain', more)
        return
      }
    }
  }
  more()
}

/** Sends the request one byte at a time, and starts again at its end. */
function drip(socket: Socket, { requests: [text = ''] }: Flood): void {
  let at = 0
  const timer = setInterval(() => socket.write(text[at++] ?? ' '), slowMs)
  socket.once('close', () => clearInterval(timer))
}
