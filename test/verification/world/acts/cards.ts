// Card API acts of merchants, and of their customers at the issuer.
import type { Chance } from '../../chance.ts'
import { ask } from '../ask.ts'
import type { Json } from '../notes.ts'
import { type Act, earlier, remember, someCents, written } from '../world.ts'
import { passIssuer, someCard } from './customers.ts'
import { markerOf, shares } from './parts.ts'

const urls = {
  cardsecure_url_confirm: 'https://shop.example/ok',
  cardsecure_url_cancel: 'https://shop.example/no',
}

function newCard(chance: Chance, number = someCard(chance)): Json {
  const vcode = number.startsWith('3') ? '1234' : '123'
  return { number, name: 'Ana Silva', vcode, valdate: '12/2034', email: 'ana@example.com' }
}

const storeCard: Act = async (world, _step, chance) => {
  const merchant = chance.pick(world.merchants.filter(({ roles }) => roles.includes('pci_dss')))
  const body = { ...urls, newCard: newCard(chance) }
  const answer = await ask(
    world,
    merchant,
    { verb: 'store card', method: 'POST', path: '/prows/v2/creditcard', body, makes: true },
    chance,
  )
  const page = answer?.body?.cardsecure_url_redirect
  if (page === undefined) return
  await passIssuer(world, page, chance)
  const path = `/api/v2/requests/${answer?.key}`
  const outcome = await ask(world, merchant, { verb: 'read request', method: 'GET', path }, chance)
  const token = outcome?.body?.token
  if (token !== undefined) remember(world, 'card', { id: token, merchant, more: {} })
}

function charge(verb: 'payment' | 'authorization'): Act {
  return async (world, step, chance) => {
    const card = chance.happens(0.7) ? earlier(world, 'card', step) : undefined
    const merchant = card?.merchant ?? world.merchants[0]
    if (merchant === undefined) return
    const cents = someCents(chance)
    const marker = markerOf(step, verb)
    const body = {
      ...urls,
      callback: world.callbackUrl(merchant),
      method: 'CC',
      amount: written(cents, chance),
      currency: 'EUR',
      ext_invoiceid: marker,
      ...(card === undefined ? { newCard: newCard(chance) } : { card: { token: card.id } }),
      ...(chance.happens(0.3) ? { split: shares(world, merchant, cents, chance) } : {}),
    }
    const path = `/prows/v2/${verb}`
    const answer = await ask(
      world,
      merchant,
      { verb: `card ${verb}`, method: 'POST', path, body, makes: true, marker },
      chance,
    )
    const id = answer?.body?.id ?? answer?.body?.operation_id
    if (id === undefined) return
    const kind = verb === 'payment' ? 'operation' : 'authorization'
    remember(world, kind, { id, merchant, more: { cents } })
    const page = answer?.body?.cardsecure_url_redirect
    if (page !== undefined && chance.happens(0.9)) await passIssuer(world, page, chance)
  }
}

const readCard: Act = async (world, step, chance) => {
  const card = earlier(world, 'card', step)
  if (card === undefined) return
  const method = chance.happens(0.2) ? 'DELETE' : 'GET'
  const verb = method === 'GET' ? 'read card' : 'delete card'
  await ask(world, card.merchant, { verb, method, path: `/prows/v2/creditcard/${card.id}` }, chance)
}

export const cardActs = {
  storeCard,
  payByCard: charge('payment'),
  authorizeByCard: charge('authorization'),
  readCard,
} as const satisfies Record<string, Act>
