// A shop that embeds the checkout, and a stranger's page.
import { createServer } from 'node:http'
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

/** Keeps the events of the checkout, and one message that shows that all before it have arrived. */
const own = `
const events = []
addEventListener('comporta', ({ target, detail }) => events.push([target.id, detail.type]))
addEventListener('message', ({ data }) => { if (data === 'seen') events.push(['seen']) })
`

/** @param host the site's name: `localhost` is another site than the gateway's 127.0.0.1 */
export async function startEmbeddingSite(gateway: string, host = 'localhost'): Promise<EmbeddingSite> {
  const bodies: string[] = []
  function contentOf(path: string, number: number, cookie = 'none'): string {
    if (path === '/shop.js') return own
    if (path === '/page') return bodies[number] ?? ''
    return `<!doctype html><title>Shop</title><h1>${path === '/cookie' ? cookie : path}</h1>`
  }

  const server = createServer(({ url = '/', headers }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://shop')
    response.setHeader(
      'content-type',
      `text/${pathname === '/shop.js' ? 'javascript' : 'html'}; charset=utf-8`,
    )
    if (pathname === '/page') response.setHeader('content-security-policy', policyOf(gateway))
    if (pathname === '/cookie') response.setHeader('set-cookie', 'third=1; SameSite=None; Secure')
    response.end(contentOf(pathname, Number(searchParams.get('number')), headers.cookie))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://${host}:${(server.address() as AddressInfo).port}`
  return {
    origin,
    page: (body) => `${origin}/page?number=${bodies.push(body) - 1}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
