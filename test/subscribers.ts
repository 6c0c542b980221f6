// Subscriptions in tests: open, accept, charge, wait.
import { randomUUID } from 'node:crypto'
import { type Answer, cards, type Json, type TestCard, type World } from './world.ts'

const urls = { url_confirm: 'https://shop.example/ok', url_cancel: 'https://shop.example/no' }

export interface Subscribers {
  today(): Promise<string>
  now(): Promise<Date>
  checkout(change?: object, more?: object): Promise<Json>
  accepted(change?: object, card?: TestCard): Promise<Json>
  read(id: string): Promise<Json>
  charge(id: string, amount: unknown, more?: object): Promise<Answer>
  chargeOf(id: string, chargeId: string): Promise<Json>
  processed(id: string, chargeId: string): Promise<Json>
  callbackOf(field: string, id: string, event: string, more?: object): Promise<Json>
}

export function subscribersOf(world: World): Subscribers {
  const { shop } = world

  async function now(): Promise<Date> {
    return new Date((await world.request('/sandbox/api/clock')).body.now)
  }

  async function today(): Promise<string> {
    return new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Lisbon' }).format(await now())
  }

  async function checkout(change: object = {}, more: object = {}): Promise<Json> {
    const subscription = {
      amount: 20,
      currency: 'EUR',
      frequency: 1,
      period: 'MONTH',
      start_date: await today(),
      ext_subscriptionid: `S-${randomUUID().slice(0, 8)}`,
      description: 'Magazine',
      client: { name: 'Ana Silva', email: 'ana@example.com' },
      ...change,
    }
    const { status, body, text } = await shop.post('/api/v2/checkout', { subscription, ...urls, ...more })
    if (status !== 200) throw new Error(text)
    return body
  }

  const chargeOf = async (id: string, chargeId: string) =>
    (await shop.get(`/api/v2/subscriptions/${id}/charge/${chargeId}`)).body

  return {
    now,
    today,
    checkout,
    async accepted(change = {}, card = cards.frictionless) {
      const opened = await checkout(change)
      const page = await world.payOnPage(opened, card)
      if (!page.text.includes('Subscription accepted')) throw new Error(page.text)
      return opened.subscription
    },
    read: async (id) => (await shop.get(`/api/v2/subscriptions/${id}`)).body,
    charge: (id, amount, more = {}) =>
      shop.post(`/api/v2/subscriptions/${id}/charge`, {
        payment: { amount, currency: 'EUR', ext_invoiceid: 'C-1', ...more },
      }),
    chargeOf,
    processed: (id, chargeId) =>
      world.eventually(async () => {
        const order = await chargeOf(id, chargeId)
        return ['SUCCESS', 'FAIL'].includes(order.status) && order
      }),
    async callbackOf(field, id, event, more = {}) {
      const callback = await world.eventually(async () =>
        world.receiver
          .received('/callbacks')
          .map(({ body }) => JSON.parse(body))
          .find((payload) =>
            Object.entries({ [field]: id, event, ...more }).every(([key, value]) => payload[key] === value),
          ),
      )
      const { text } = await shop.post('/api/v2/callback/verify', callback)
      if (text !== 'true') throw new Error(`the callback is not genuine: ${JSON.stringify(callback)}`)
      return callback
    },
  }
}
