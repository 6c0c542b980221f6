// A shop that embeds the checkout, and a stranger's page.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface EmbeddingSite {
  readonly origin: string
  /** Address of a page with this body. */
  page(body: string): string
  close(): Promise<void>
}

/** Shops have strict policies. */
const policyOf = (gateway: string) =>
  `default-src 'none'; script-src 'self' ${gateway}; frame-src ${gateway} http://localhost:* http://127.0.0.1:*`

/** Adds what happened to `events`, and opens the checkout of the address `?open=`. */
const own = `
const events = []
addEventListener('comporta', ({ target, detail }) => events.push([target.id, detail.type]))
addEventListener('message', ({ data }) => { if (data === 'seen') events.push(['seen']) })
`

/** @param host the site's name: `localhost` is another site than the gateway's 127.0.0.1 */
export async function startEmbeddingSite(gateway: string, host = 'localhost'): Promise<EmbeddingSite> {
  const bodies: string[] = []
  const server: Server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://shop')
    if (pathname === '/shop.js') {
      response.setHeader('content-type', 'text/javascript')
      return response.end(own)
    }
    response.setHeader('content-type', 'text/html; charset=utf-8')
    if (pathname === '/cookie') {
      response.setHeader('set-cookie', 'third=1; SameSite=None; Secure')
      return response.end(`<!doctype html><title>Cookie</title><h1>${request.headers.cookie ?? 'none'}</h1>`)
    }
    if (pathname !== '/page') return response.end(`<!doctype html><title>Shop</title><h1>${pathname}</h1>`)
    response.setHeader('content-security-policy', policyOf(gateway))
    response.end(bodies[Number(searchParams.get('number'))])
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://${host}:${(server.address() as AddressInfo).port}`
  return {
    origin,
    page: (body) => `${origin}/page?number=${bodies.push(body) - 1}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
