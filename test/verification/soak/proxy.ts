// A TCP proxy whose connections the test can cut.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface TcpProxy {
  readonly port: number
  cut(): number
  close(): Promise<void>
}

export async function startProxy(pick: () => number | undefined): Promise<TcpProxy> {
  const open = new Set<Socket>()
  const keep = (socket: Socket) => {
    open.add(socket)
    return socket.on('error', () => socket.destroy()).once('close', () => open.delete(socket))
  }
  const server = createServer((client) => {
    keep(client)
    const port = pick()
    if (port === undefined) return void client.destroy()
    const target = keep(connect(port, '127.0.0.1'))
    client.pipe(target)
    target.pipe(client)
    client.once('close', () => target.destroy())
    target.once('close', () => client.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    const count = open.size / 2
    for (const socket of open) socket.destroy()
    return Math.ceil(count)
  }
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    async close() {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
