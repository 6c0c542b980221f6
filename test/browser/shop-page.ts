// A shop's server and page on another origin.
import Fastify from 'fastify'
import type { Page } from 'playwright-core'
import { shop } from '../secure-fields/world.ts'

export interface ShopSite {
  readonly origin: string
  /** Everything the server received. */
  traffic(): string
  /** Card data that the page posted. */
  received: unknown[]
  close(): Promise<void>
}

export interface ShopPageOptions {
  readonly gatewayUrl: string
  readonly integrity: string
}

/** Listens on `localhost`, another site than 127.0.0.1. */
export async function startShopSite({ gatewayUrl, integrity }: ShopPageOptions): Promise<ShopSite> {
  const app = Fastify()
  const traffic: string[] = []
  const received: unknown[] = []
  app.addHook('preHandler', async ({ url, headers, body }) => {
    traffic.push(JSON.stringify({ url, headers, body }))
  })
  app.get('/', (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(shopPage(gatewayUrl, integrity)),
  )
  app.post('/card', async ({ body }) => {
    received.push(body)
    return {}
  })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    origin: `http://localhost:${new URL(address).port}`,
    traffic: () => traffic.join('\n'),
    received,
    close: () => app.close(),
  }
}

/** As in docs/secure-fields.md, with `?locale=` and `?appearance=`. */
function shopPage(gatewayUrl: string, integrity: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Livraria do Cais</title>
<script src="${gatewayUrl}/secure-fields/v1/secure-fields.js" integrity="${integrity}" crossorigin="anonymous"></script>
</head><body><main><h1>Checkout</h1>
<p><a href="#before">Terms</a></p>
<div id="card"></div>
<button id="pay">Pay</button>
<p id="outcome"></p></main>
<script>
const query = new URLSearchParams(location.search)
const events = []
const fields = SecureFields.createCardFields({
  merchant: '${shop.publicId}',
  locale: query.get('locale') ?? 'en',
  appearance: JSON.parse(query.get('appearance') ?? '{}'),
  ...JSON.parse(query.get('options') ?? '{}'),
})
for (const name of ['ready', 'change', 'focus', 'blur', 'submit', 'error']) {
  fields.on(name, (detail) => events.push([name, detail]))
}
fields.mount('#card')
async function pay() {
  try {
    const card = await fields.encrypt()
    await fetch('/card', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(card) })
    document.querySelector('#outcome').textContent = 'sent ' + card.brand + ' ' + card.last4
  } catch (error) {
    document.querySelector('#outcome').textContent = error.name + ' ' + error.code
  }
}
fields.on('submit', pay)
document.querySelector('#pay').onclick = pay
</script></body></html>`
}

/** Text of the page, its events and its traffic. */
export async function knownToPage(page: Page): Promise<string> {
  return page.evaluate('document.documentElement.outerHTML + JSON.stringify(events)')
}
