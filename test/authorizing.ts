// A merchant that authorizes, captures and releases amounts on a stored card.
import { randomUUID } from 'node:crypto'
import { openPage, submit } from './browserless.ts'
import { type Answer, cards, type Json, type World } from './world.ts'

/** The acquirer approves payments with this card, and declines captures and releases. */
export const followUpsDeclined = '4000000000000341'
/** The acquirer does not answer captures and releases of this card. An inquiry says that they are declined. */
export const followUpsSilentThenDeclined = '4000000000000358'

export interface Authorizing {
  storeCard(number?: string): Promise<string>
  authorize(token: string, amount: number, change?: Record<string, unknown>): Promise<Json>
  accept(change?: Record<string, unknown>, card?: { readonly number: string }): Promise<Json>
  capture(id: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  release(id: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  read(id: string): Promise<Json>
}

/** `world` is a function, because tests replace the world. */
export function authorizing(world: () => World): Authorizing {
  const esb = () => ({ 'proxy-authorization': `ESBToken=${world().shop.esb_token}` })
  const urls = () => ({
    cardsecure_url_confirm: world().receiver.url('/confirm'),
    cardsecure_url_cancel: world().receiver.url('/cancel'),
  })
  const verb =
    (word: string): Authorizing['capture'] =>
    (id, body, headers) =>
      world().shop.post(`/api/v2/authorizations/${id}/${word}`, body, headers)
  const read: Authorizing['read'] = async (id) =>
    (await world().shop.get(`/api/v2/authorizations/${id}`)).body

  return {
    async storeCard(number = cards.frictionless.number) {
      const newCard = {
        number,
        name: 'Ana Silva',
        vcode: '123',
        valdate: '12/2030',
        email: 'ana@example.com',
      }
      const asked = { ...urls(), newCard, request_id: randomUUID() }
      const { body } = await world().shop.post('/prows/v2/creditcard', asked, esb())
      await passIssuer(body.cardsecure_url_redirect)
      return (await world().shop.get(`/api/v2/requests/${asked.request_id}`)).body.token
    },
    async authorize(token, amount, change = {}) {
      const callback = world().receiver.url('/operation')
      const asked = { amount, currency: 'EUR', method: 'CC', callback, ...urls(), card: { token }, ...change }
      const { status, body, text } = await world().shop.post('/prows/v2/authorization', asked, esb())
      if (status !== 200) throw new Error(text)
      return body
    },
    async accept(change = {}, card = cards.frictionless) {
      const made = await world().createCheckout({
        payment: undefined,
        authorization: { amount: 10, currency: 'EUR', ...change },
      })
      await world().payOnPage(made, card)
      return read(made.authorization.id)
    },
    capture: verb('capture'),
    release: verb('release'),
    read,
  }
}

/** Goes through the issuer's pages as the browser of a cardholder who confirms. */
export async function passIssuer(url: string, visit: { readonly within?: string } = {}): Promise<void> {
  let page = await openPage(url, visit)
  for (let step = 0; step < 6; step++) {
    const form = page.forms.find(({ action }) => /\/secure\/|\/3ds\/return\//.test(action))
    if (form === undefined) return
    page = await submit(page, form, {}, visit)
  }
}
