// The world's receiver behind a real HTTP server.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Receiver } from '../world/receiver.ts'

export interface ReceiverServer {
  readonly origin: string
  close(): Promise<void>
}

export async function serveReceiver(receiver: Receiver): Promise<ReceiverServer> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk)
    } catch {
      // The connection was cut before the end of the body, so the callback was not received.
      return
    }
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    )
    const reply = receiver.receive(request.url ?? '/', headers, Buffer.concat(chunks).toString())
    if (reply === 'cut') request.socket.destroy()
    else if (reply !== 'hang') response.writeHead(reply).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
