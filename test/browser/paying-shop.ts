// A shop on another origin that pays by secure fields and token.
import { randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import type { Answer, World } from '../world.ts'

export interface PayingShop {
  readonly origin: string
  /** Every byte that the server received, as text. */
  traffic(): string
  /** Operations of its payments, in order. */
  readonly paid: string[]
  close(): Promise<void>
}

/** Listens on `localhost`, another site than 127.0.0.1. */
export async function startPayingShop(world: World): Promise<PayingShop> {
  const { integrity } = (await world.request('/secure-fields/v1/integrity.json')).body
  const app = Fastify()
  const bytes: Buffer[] = []
  app.server.on('connection', (socket) => socket.on('data', (chunk: Buffer) => bytes.push(chunk)))
  const paid: string[] = []
  let storing = ''
  let origin = ''

  const post = (path: string, body: object): Promise<Answer> =>
    world.shop.post(path, body, { 'proxy-authorization': `ESBToken=${world.shop.esb_token}` })
  const addresses = () => ({
    cardsecure_url_confirm: `${origin}/thanks`,
    cardsecure_url_cancel: `${origin}/sorry`,
  })
  const payment = () => ({
    amount: 12.5,
    currency: 'EUR',
    method: 'CC',
    callback: `${origin}/callbacks`,
    ...addresses(),
  })

  app.get('/', (_request, reply) => reply.type('text/html; charset=utf-8').send(pageOf(world, integrity)))
  app.get('/thanks', () => 'Thank you')
  app.get('/sorry', () => 'Sorry')
  app.post('/callbacks', () => ({}))
  app.post<{ Body: { newCardSecure: object } }>('/pay', async ({ body }) => {
    const newCardSecure = { ...body.newCardSecure, email: 'ana@exemplo.pt' }
    const answer = await post('/prows/v2/payment', { ...payment(), newCardSecure })
    paid.push(answer.body.id)
    return { go: answer.body.cardsecure_url_redirect, outcome: answer.body.reason }
  })
  app.post<{ Body: { newCardSecure: object } }>('/store', async ({ body }) => {
    storing = randomUUID()
    const newCardSecure = { ...body.newCardSecure, email: 'ana@exemplo.pt' }
    const answer = await post('/prows/v2/creditcard', { ...addresses(), newCardSecure, request_id: storing })
    return { go: answer.body.cardsecure_url_redirect, outcome: answer.body.reason }
  })
  app.post('/again', async () => {
    const { token } = (await world.shop.get(`/api/v2/requests/${storing}`)).body
    const answer = await post('/prows/v2/payment', { ...payment(), card: { token } })
    paid.push(answer.body.id)
    return { outcome: answer.body.status ?? answer.body.reason }
  })

  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://localhost:${new URL(address).port}`
  return {
    origin,
    paid,
    traffic: () => Buffer.concat(bytes).toString('latin1'),
    close: () => app.close(),
  }
}

/** As in docs/secure-fields.md. */
function pageOf({ baseUrl, shop }: World, integrity: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Livraria do Cais</title><link rel="icon" href="data:,">
<script src="${baseUrl}/secure-fields/v1/secure-fields.js" integrity="${integrity}" crossorigin="anonymous"></script>
</head><body><main><h1>Checkout</h1>
<div id="card"></div>
<button id="pay">Pay</button> <button id="store">Store the card</button> <button id="again">Pay again</button>
<p id="outcome"></p></main>
<script>
const fields = SecureFields.createCardFields({ merchant: '${shop.public_id}', locale: 'en' })
fields.mount('#card')
async function send(path, body) {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { go, outcome } = await answer.json()
  if (go) location.assign(go)
  else document.querySelector('#outcome').textContent = outcome
}
const sendCard = async (path) => send(path, { newCardSecure: (await fields.encrypt()).newCardSecure })
document.querySelector('#pay').onclick = () => sendCard('/pay')
document.querySelector('#store').onclick = () => sendCard('/store')
document.querySelector('#again').onclick = () => send('/again', {})
</script></body></html>`
}
