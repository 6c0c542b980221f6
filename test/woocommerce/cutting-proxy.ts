// Proxy that loses answers of the gateway.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface CuttingProxy {
  readonly url: string
  /** Cuts the next `count` answers to requests with `part` in the first line. */
  cutAnswers(part: string, count: number): void
  close(): Promise<void>
}

/** Proxy to `target`, such as http://127.0.0.1:8080. One request for each connection. */
export async function startCuttingProxy(target: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target)
  let cuts = { part: '', count: 0 }
  const sockets = new Set<Socket>()

  const server = createServer((customer) => {
    const gateway = connect({ host: hostname, port: Number(port) })
    let asked = ''
    for (const socket of [customer, gateway]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        customer.destroy()
        gateway.destroy()
      })
    }
    customer.on('data', (chunk: Buffer) => {
      asked += asked.includes('\n') ? '' : chunk.toString('latin1')
      gateway.write(chunk)
    })
    gateway.on('data', (chunk: Buffer) => {
      if (cuts.count > 0 && asked.split('\n')[0]?.includes(cuts.part)) {
        cuts = { ...cuts, count: cuts.count - 1 }
        customer.destroy()
      } else {
        customer.write(chunk)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cutAnswers(part, count) {
      cuts = { part, count }
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
