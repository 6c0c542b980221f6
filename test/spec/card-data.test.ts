// Forms of card data and their senders (SPEC.md NewCard).
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { encryptCard } from '../../web/secure-fields/frame/encrypt-card.ts'
import { openWorld } from '../gateway-here.ts'
import { type Answer, cards, type Json, type World } from '../world.ts'

let world: World
/** A partner without the right `pci_dss`. */
let partner: { key: string; esb: string; publicId: string }

beforeAll(async () => {
  world = await openWorld()
  const asked = ['--name', 'Partner', '--email', 'partner@example.com', '--rights', 'partner']
  const made = (await world.cli('merchant', 'create', ...asked)).json
  const key = (await world.cli('key', 'create', String(made.wallet_id), '--permissions', 'all')).json
  partner = { key: key.api_key, esb: made.esb_token, publicId: made.public_id }
})
afterAll(() => world.stop())

const newCard = {
  number: cards.frictionless.number,
  name: 'Ana Silva',
  vcode: '123',
  valdate: '12/2030',
  email: 'ana@example.com',
}
const address = { address: 'Rua do Cais 1', city: 'Lisboa', country: 'PT', postalcode: '1000-001' }

const addresses = () => ({
  cardsecure_url_confirm: world.receiver.url('/confirm'),
  cardsecure_url_cancel: world.receiver.url('/cancel'),
})
const payment = (card: Record<string, unknown>) => ({
  amount: 10,
  currency: 'EUR',
  method: 'CC',
  callback: world.receiver.url('/operation'),
  ...addresses(),
  ...card,
})

const post = (path: string, body: unknown): Promise<Answer> =>
  world.shop.post(path, body, { 'proxy-authorization': `ESBToken=${world.shop.esb_token}` })

const postAsPartner = (path: string, body: unknown): Promise<Answer> =>
  world.shop.post(path, body, {
    authorization: `Comporta ${partner.key}`,
    'proxy-authorization': `ESBToken=${partner.esb}`,
  })

/** A card encrypted by the secure form fields. */
async function encrypted(merchant: string): Promise<Json> {
  const { keys } = (await world.request(`/.well-known/secure-fields/jwks.json?merchant=${merchant}`)).body
  const { session, now } = (await world.request(`/secure-fields/v1/session?merchant=${merchant}`)).body
  const ticket = { key: keys[0], session, iat: now }
  return (await encryptCard(newCard, ticket, { merchant, origin: 'http://localhost:1' })).newCardSecure
}

it('plain card data needs the certificate, a key’s permission is not enough; encrypted data does not', async () => {
  for (const path of ['payment', 'authorization']) {
    const plain = await postAsPartner(`/prows/v2/${path}`, payment({ newCard }))
    expect(plain).toMatchObject({ status: 403, body: { code: 20002 } })
    expect(plain.body.reason).toContain('pci_dss')
  }
  const stored = { ...addresses(), newCard, request_id: randomUUID() }
  expect(await postAsPartner('/prows/v2/creditcard', stored)).toMatchObject({ status: 403 })
  const newCardSecure = { ...(await encrypted(partner.publicId)), email: newCard.email }
  expect(await postAsPartner('/prows/v2/payment', payment({ newCardSecure }))).toMatchObject({
    status: 200,
    body: { status: 'PENDING' },
  })
})

describe('a card', () => {
  it.each([
    ['an address', { address }],
    ['the mode USER', { mode: 'USER' }],
    ['a phone in place of the e-mail', { email: undefined, phone: '+351912345678' }],
  ])('may carry %s', async (_, more) => {
    const answer = await post('/prows/v2/payment', payment({ newCard: { ...newCard, ...more } }))
    expect(answer).toMatchObject({ status: 200, body: { status: 'PENDING' } })
  })

  it('that is encrypted carries its e-mail, phone and address in plain', async () => {
    const shop = world.shop.public_id
    for (const plain of [{ email: newCard.email }, { phone: '+351912345678', address }]) {
      const newCardSecure = { ...(await encrypted(shop)), ...plain }
      const answer = await post('/prows/v2/payment', payment({ newCardSecure }))
      expect(answer).toMatchObject({ status: 200, body: { status: 'PENDING' } })
    }
    const neither = await post('/prows/v2/payment', payment({ newCardSecure: await encrypted(shop) }))
    expect(neither.body).toMatchObject({
      code: 10001,
      reason: expect.stringContaining('newCardSecure.email'),
    })
  })
})

describe('storing a card is refused with', () => {
  it.each<[string, Record<string, unknown>, number, string]>([
    ['no card', { newCard: undefined }, 10001, 'one of newCard and newCardSecure is required'],
    ['two cards', { newCardSecure: newCard }, 10002, 'exactly one of newCard and newCardSecure'],
    ['no address for success', { cardsecure_url_confirm: undefined }, 10001, 'cardsecure_url_confirm'],
    ['no address for failure', { cardsecure_url_cancel: undefined }, 10001, 'cardsecure_url_cancel'],
    ['an invalid address', { cardsecure_url_cancel: '/sorry' }, 10002, 'cardsecure_url_cancel'],
    ['an invalid request_id', { request_id: 'mine' }, 10002, 'request_id'],
  ])('%s', async (_, change, code, reason) => {
    const body = { ...addresses(), newCard, request_id: randomUUID(), ...change }
    const answer = await post('/prows/v2/creditcard', body)
    expect(answer).toMatchObject({ status: 400, body: { code, reason: expect.stringContaining(reason) } })
  })
})
