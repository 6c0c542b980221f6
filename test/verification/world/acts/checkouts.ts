// Checkouts, payment links, and subscriptions with their charges.
import type { Chance } from '../../chance.ts'
import { ask } from '../ask.ts'
import type { Json } from '../notes.ts'
import { formTo, openPage, submit } from '../pages.ts'
import { type Act, earlier, remember, someCents, someMerchant, written } from '../world.ts'
import { markerOf, shares } from './parts.ts'

const urls = { url_confirm: 'https://shop.example/ok', url_cancel: 'https://shop.example/no' }

function subscriptionBody(now: string, chance: Chance, name: string): Json {
  const cents = 1_000 + chance.below(20_000)
  const auto_charge = {
    amount: (1 + chance.below(cents)) / 100,
    ext_invoiceid: `${name}-auto`,
    ...(chance.happens(0.3) ? { retries: [1] } : {}),
  }
  return {
    amount: cents / 100,
    currency: 'EUR',
    ...(chance.happens(0.4) ? { auto_charge } : {}),
    frequency: chance.pick([1, 1, 2, 3]),
    period: chance.pick(['DAY', 'WEEK', 'MONTH']),
    start_date: now.slice(0, 10),
    ext_subscriptionid: name,
    client: { name: 'Ana Silva', email: 'ana@example.com' },
  }
}

const createCheckout: Act = async (world, step, chance) => {
  const merchant = someMerchant(world, chance)
  const kind = chance.pick(['payment', 'payment', 'payment', 'authorization', 'subscription', 'both'])
  const cents = someCents(chance)
  const marker = markerOf(step, kind)
  const isShared = merchant === world.merchants[0] && chance.happens(0.3)
  const money = {
    amount: written(cents, chance),
    currency: 'EUR',
    ext_invoiceid: marker,
    items: [{ name: 'Mug', qt: 1, descr: 'blue', ref: 7 }],
    ...(isShared ? { split: shares(world, merchant, cents, chance) } : {}),
  }
  const clock = await world.wire.send({ method: 'GET', path: '/sandbox/api/clock' })
  const now = clock?.status === 200 ? String(JSON.parse(clock.text).now) : new Date(0).toISOString()
  const subscription = subscriptionBody(now, chance, marker)
  const body = {
    ...urls,
    ...(kind === 'payment' || kind === 'both' ? { payment: money } : {}),
    ...(kind === 'authorization' ? { authorization: money } : {}),
    ...(kind === 'subscription' || kind === 'both' ? { subscription } : {}),
    ...(chance.happens(0.1) ? { exclude: [chance.pick(['MB', 'PAYPAL', 'SEPA', 'GPAY'])] } : {}),
  }
  const makesOperation = kind === 'subscription' ? {} : { marker }
  const answer = await ask(
    world,
    merchant,
    {
      verb: 'create checkout',
      method: 'POST',
      path: '/api/v2/checkout',
      body,
      makes: true,
      ...makesOperation,
    },
    chance,
  )
  const made = answer?.body
  if (made?.url_redirect === undefined) return
  const operation = (made.payment ?? made.authorization)?.id
  remember(world, 'checkout', { id: made.id, merchant, more: { url: made.url_redirect, operation, cents } })
  if (made.payment !== undefined) remember(world, 'operation', { id: operation, merchant, more: { cents } })
  if (made.authorization !== undefined)
    remember(world, 'authorization', { id: operation, merchant, more: { cents } })
  if (made.subscription !== undefined)
    remember(world, 'subscription', {
      id: made.subscription.id,
      merchant,
      more: { cents: Math.round(subscription.amount * 100) },
    })
}

const readCheckout: Act = async (world, step, chance) => {
  const checkout = earlier(world, 'checkout', step)
  if (checkout === undefined) return
  const method = chance.happens(0.2) ? 'DELETE' : 'GET'
  const verb = method === 'GET' ? 'read checkout' : 'delete checkout'
  await ask(world, checkout.merchant, { verb, method, path: `/api/v2/checkout/${checkout.id}` }, chance)
}

const makeLink: Act = async (world, step, chance) => {
  const merchant = someMerchant(world, chance)
  const body = {
    description: markerOf(step, 'link'),
    amount: (50 + chance.below(5_000)) / 100,
    uses_max: 1 + chance.below(3),
    ...(chance.happens(0.3) ? { methods: ['CC', 'MB'] } : {}),
  }
  const answer = await ask(
    world,
    merchant,
    { verb: 'make link', method: 'POST', path: '/api/v2/payment_links', body, makes: true },
    chance,
  )
  if (answer?.body?.url !== undefined)
    remember(world, 'link', { id: answer.body.id, merchant, more: { url: answer.body.url } })
}

const useLink: Act = async (world, step, chance) => {
  const link = earlier(world, 'link', step)
  if (link === undefined) return
  const { merchant, id } = link
  if (chance.happens(0.1)) {
    await ask(
      world,
      merchant,
      { verb: 'close link', method: 'DELETE', path: `/api/v2/payment_links/${id}` },
      chance,
    )
    return
  }
  const page = await openPage(world.wire, link.more.url)
  const form = page === undefined ? undefined : formTo(page, '/l/')
  if (page === undefined || form === undefined) return
  const next = await submit(world.wire, page, form)
  const checkout = /^\/checkout\/([0-9a-f-]{36})/.exec(next?.path ?? '')?.[1]
  if (checkout === undefined) return
  const answer = await ask(
    world,
    merchant,
    { verb: 'read checkout', method: 'GET', path: `/api/v2/checkout/${checkout}` },
    chance,
  )
  const operation = answer?.body?.payment?.id
  remember(world, 'checkout', {
    id: checkout,
    merchant,
    more: { url: `/checkout/${checkout}`, operation, cents: 0 },
  })
}

const chargeSubscription: Act = async (world, step, chance) => {
  const subscription = earlier(world, 'subscription', step)
  if (subscription === undefined) return
  const { merchant, id, more } = subscription
  const cents = 1 + chance.below(chance.happens(0.8) ? Math.ceil(more.cents / 2) : more.cents * 2)
  const marker = markerOf(step, 'charge')
  const body = { payment: { amount: cents / 100, currency: 'EUR', ext_invoiceid: marker } }
  const path = `/api/v2/subscriptions/${id}/charge`
  await ask(world, merchant, { verb: 'charge', method: 'POST', path, body, makes: true, marker }, chance)
}

const readSubscription: Act = async (world, step, chance) => {
  const subscription = earlier(world, 'subscription', step)
  if (subscription === undefined) return
  const { merchant, id } = subscription
  const [verb, method, path] = chance.pick([
    ['read subscription', 'GET', `/api/v2/subscriptions/${id}`],
    ['read subscription', 'GET', `/api/v2/subscriptions/${id}`],
    ['list charges', 'GET', `/api/v2/subscriptions/${id}/charge`],
    ['list subscriptions', 'GET', '/api/v2/subscriptions?limit=30'],
    ['pause charges', 'POST', `/api/v2/subscriptions/${id}/pause`],
    ['resume charges', 'POST', `/api/v2/subscriptions/${id}/resume`],
    ['end subscription', 'DELETE', `/api/v2/Subscriptions/${id}`],
  ] as const)
  await ask(world, merchant, { verb, method, path }, chance)
}

export const checkoutActs = {
  createCheckout,
  readCheckout,
  makeLink,
  useLink,
  chargeSubscription,
  readSubscription,
} as const satisfies Record<string, Act>
