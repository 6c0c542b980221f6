// HTTP server of a child process of the bench.
import { createServer, type Socket } from 'node:net'

const lengthPattern = /\r\ncontent-length: (\d+)/i

/** Reports its port to the parent process and ends with it. */
export function serve(onRequest: (socket: Socket, head: string, body: string) => void): void {
  const server = createServer({ noDelay: true }, (socket) => {
    let received = ''
    socket.setEncoding('latin1')
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk) => {
      received += chunk
      for (;;) {
        const headEnd = received.indexOf('\r\n\r\n')
        if (headEnd === -1) return
        const bodyEnd = headEnd + 4 + Number(lengthPattern.exec(received)?.[1] ?? 0)
        if (received.length < bodyEnd) return
        onRequest(socket, received.slice(0, headEnd), received.slice(headEnd + 4, bodyEnd))
        received = received.slice(bodyEnd)
      }
    })
  })
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1024 }, () => {
    process.send?.((server.address() as { port: number }).port)
  })
  process.on('SIGINT', () => undefined)
  process.on('disconnect', () => process.exit())
}
