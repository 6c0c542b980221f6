// Payments by a stored card of the demo shop.
import { randomUUID } from 'node:crypto'
import { openPage, submit } from './browserless.ts'
import type { Answer, Json, Merchant, World } from './world.ts'

/** The parts of a world that payments by a stored card need. */
export interface CardWorld {
  readonly shop: Pick<Merchant, 'esb_token' | 'get' | 'post'>
  readonly receiver: Pick<World['receiver'], 'url'>
}

export async function storeCard(world: CardWorld, number: string): Promise<string> {
  const request_id = randomUUID()
  const { body } = await world.shop.post(
    '/prows/v2/creditcard',
    {
      request_id,
      cardsecure_url_confirm: world.receiver.url('/confirm'),
      cardsecure_url_cancel: world.receiver.url('/cancel'),
      newCard: { number, name: 'Ana Silva', vcode: '123', valdate: '12/2030', email: 'ana@example.com' },
    },
    esbOf(world),
  )
  let page = await openPage(body.cardsecure_url_redirect)
  for (let step = 0; step < 6; step++) {
    const form = page.forms.find(({ action }) => /\/secure\/|\/3ds\/return\//.test(action))
    if (form === undefined) break
    page = await submit(page, form)
  }
  return (await world.shop.get(`/api/v2/requests/${request_id}`)).body.token
}

export function askToPay(
  world: CardWorld,
  token: string,
  change: Record<string, unknown> = {},
  path = '/prows/v2/payment',
): Promise<Answer> {
  return world.shop.post(
    path,
    {
      amount: 10,
      currency: 'EUR',
      callback: world.receiver.url('/operation'),
      cardsecure_url_confirm: world.receiver.url('/confirm'),
      cardsecure_url_cancel: world.receiver.url('/cancel'),
      card: { token },
      ...change,
    },
    esbOf(world),
  )
}

export async function payByToken(
  world: World,
  token: string,
  change: Record<string, unknown> = {},
): Promise<Json> {
  const { status, body, text } = await askToPay(world, token, change)
  if (status !== 200) throw new Error(text)
  return body
}

function esbOf(world: CardWorld): Record<string, string> {
  return { 'proxy-authorization': `ESBToken=${world.shop.esb_token}` }
}
