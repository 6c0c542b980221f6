// A real HTTP proxy between a command and the gateway: it passes requests on, and answers in its place when the test says so.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** The answer to a forwarded request: the proxy's own, or `hang` for none at all. */
export type Instead =
  | 'hang'
  | {
      readonly status: number
      readonly body: string
      readonly headers?: Readonly<Record<string, string>>
    }
  | undefined

export interface HttpProxy {
  readonly baseUrl: string
  /** Asked for each request, once the gateway has answered it; undefined: its own answer is passed on. */
  instead: (method: string, path: string) => Instead
  /** Waited for before a request is passed on. */
  before: (path: string) => Promise<unknown>
  /** Answered requests, such as `POST /api/v2/checkout`. */
  readonly passed: string[]
  close(): Promise<void>
}

/** A proxy to `target`, such as `http://127.0.0.1:8080`. */
export async function startHttpProxy(target: string): Promise<HttpProxy> {
  const open = new Set<Socket>()

  async function passOn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = request
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    await proxy.before(url)
    const { authorization, 'content-type': type } = request.headers
    const answer = await fetch(target + url, {
      method,
      redirect: 'manual',
      headers: { ...(authorization && { authorization }), ...(type && { 'content-type': type }) },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    })
    const body = await answer.text()
    const instead = proxy.instead(method, url)
    proxy.passed.push(`${method} ${url}`)
    if (instead === 'hang') return
    const { status, headers } = answer
    const own = { 'content-type': headers.get('content-type') ?? 'text/plain' }
    response.writeHead(instead?.status ?? status, instead === undefined ? own : instead.headers)
    response.end(instead?.body ?? body)
  }

  const server = createServer((request, response) => {
    passOn(request, response).catch(() => response.destroy())
  })
  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const proxy: HttpProxy = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    instead: () => undefined,
    before: async () => undefined,
    passed: [],
    async close() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return proxy
}
