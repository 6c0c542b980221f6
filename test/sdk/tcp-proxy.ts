// TCP proxy that cuts connections on request.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** `answer`: the request arrives, and the answer is lost. `silence`: nothing gets through. */
export type Cut = 'request' | 'answer' | 'silence' | undefined

export interface TcpProxy {
  readonly baseUrl: string
  /** Behaviour of the next connections. Later ones pass. */
  cutNext(...cuts: readonly Cut[]): void
  connections(): number
  close(): Promise<void>
}

/** Proxy to `target`, such as `http://127.0.0.1:8080`. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target)
  const cuts: Cut[] = []
  const open = new Set<Socket>()
  let connections = 0

  const server = createServer((client) => {
    connections += 1
    const cut = cuts.shift()
    keep(client)
    if (cut === 'silence') return
    if (cut === 'request') {
      client.once('data', () => client.destroy())
      return
    }
    const gateway = keep(connect(Number(port), hostname))
    client.pipe(gateway)
    if (cut === 'answer') gateway.once('data', () => client.destroy())
    else gateway.pipe(client)
    client.once('close', () => gateway.destroy())
    gateway.once('close', () => client.destroy())
  })

  function keep(socket: Socket): Socket {
    open.add(socket)
    return socket.on('error', () => socket.destroy()).once('close', () => open.delete(socket))
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cutNext: (...next) => {
      cuts.splice(0, cuts.length, ...next)
    },
    connections: () => connections,
    async close() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
