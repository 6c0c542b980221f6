// Checkouts, payment links, and subscriptions with their charges.
import type { Chance } from '../../chance.ts'
import { ask } from '../ask.ts'
import type { Json } from '../notes.ts'
import { formTo, openPage, submit } from '../pages.ts'
import {
  type Act,
  earlier,
  remember,
  type Step,
  someCents,
  someMerchant,
  type Thing,
  type World,
  written,
} from '../world.ts'
import { payAt, savedCard } from './customers.ts'
import { markerOf, shares } from './parts.ts'

const customersPath = '/api/v2/customers'
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

/** A customer with an account at the first merchant, whose key alone may name customers. */
async function someCustomer(world: World, step: Step, chance: Chance): Promise<Thing | undefined> {
  const known = chance.happens(0.5) ? earlier(world, 'customer', step) : undefined
  const [merchant] = world.merchants
  if (known !== undefined || merchant === undefined) return known
  // The page offers the mandate of this phone.
  const phone = chance.happens(0.5) ? earlier(world, 'phone', step)?.id : undefined
  const body = { name: markerOf(step, 'customer'), ...(phone === undefined ? {} : { phone }) }
  const question = { verb: 'create customer', method: 'POST', path: customersPath, body } as const
  const id = (await ask(world, merchant, question, chance))?.body?.id
  if (id === undefined) return undefined
  const customer = { id, merchant, more: {} }
  remember(world, 'customer', customer)
  return customer
}

/** The first time the customer saves a card. The second time the page offers it, or a mandate. */
const buyTwice: Act = async (world, step, chance) => {
  const customer = await someCustomer(world, step, chance)
  if (customer === undefined) return
  const { id, merchant } = customer
  for (const time of ['first', 'second']) {
    const cents = someCents(chance)
    const marker = markerOf(step, time)
    const payment = { amount: written(cents, chance), currency: 'EUR', ext_invoiceid: marker }
    const body = { ...urls, payment, customer: { id } }
    const question = { verb: 'create checkout', method: 'POST', path: '/api/v2/checkout', body } as const
    const made = (await ask(world, merchant, { ...question, makes: true, marker }, chance))?.body
    if (made?.payment === undefined) return
    const operation = made.payment.id
    const checkout = { id: made.id, merchant, more: { url: made.url_redirect, operation, cents } }
    remember(world, 'checkout', checkout)
    remember(world, 'operation', { id: operation, merchant, more: { cents } })
    await payAt(world, checkout, chance, time === 'first' ? savedCard(chance) : undefined)
  }
}

/** Deletes a saved card, or the whole customer. */
const forgetCustomer: Act = async (world, step, chance) => {
  const customer = earlier(world, 'customer', step)
  if (customer === undefined) return
  const { merchant, id } = customer
  const path = `${customersPath}/${id}`
  const methods = `${path}/payment_methods`
  const read = { verb: 'read saved cards', method: 'GET', path: methods } as const
  const saved = (await ask(world, merchant, read, chance))?.body?.elements ?? []
  const card = saved.length > 0 && chance.happens(0.6) ? chance.pick(saved as Json[]) : undefined
  if (card === undefined && chance.happens(0.5)) return
  const target = card === undefined ? path : `${methods}/${card.id}`
  await ask(world, merchant, { verb: 'forget customer', method: 'DELETE', path: target }, chance)
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
  const customer = earlier(world, 'customer', step)
  const isNamed = customer?.merchant === merchant && chance.happens(0.6)
  const body = {
    ...urls,
    ...(isNamed ? { customer: { id: customer?.id } } : {}),
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
  buyTwice,
  forgetCustomer,
  readCheckout,
  makeLink,
  useLink,
  chargeSubscription,
  readSubscription,
} as const satisfies Record<string, Act>
