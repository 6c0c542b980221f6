// A gateway and a shop with the plugin.
import { createHmac } from 'node:crypto'
import { openWorld } from '../gateway-here.ts'
import type { Json, TestCard, World } from '../world.ts'
import { type CuttingProxy, startCuttingProxy } from './cutting-proxy.ts'
import { type PhpShop, startPhpShop } from './php-shop.ts'

export interface ShopWorld {
  readonly world: World
  readonly shop: PhpShop
  readonly proxy: CuttingProxy
  readonly settings: Readonly<Record<string, string>>
  order(change?: object): Promise<number>
  /** Presses "Place order" and returns the checkout's address. */
  checkoutOf(id: number): Promise<{ url_redirect: string }>
  /** An order paid by card, which the shop has noted. */
  paidOrder(card: TestCard, change?: object): Promise<{ id: number; payment: string }>
  /** The order, once `look` accepts it. */
  shows(id: number, look: (order: Json) => boolean): Promise<Json>
  operationsOf(id: number, type?: string): Promise<Json[]>
  /** Target of callbacks: the shop, or the world's receiver. */
  sendCallbacksTo(whom: 'shop' | 'receiver'): Promise<void>
  /** Passes a received callback on to the shop. Returns its status. */
  passOn(operationId: string, event?: string): Promise<number>
  /** Sends an own callback to the shop. Returns its status. */
  send(
    body: string,
    change?: { secret?: string; age?: number; headers?: Record<string, string> },
  ): Promise<number>
  /** Returns from the gateway's page. Returns the shop's redirect. */
  comeBack(id: number): Promise<string>
  stop(): Promise<void>
}

/** Starts both, with working settings and callbacks. */
export async function startShopWorld(php: string): Promise<ShopWorld> {
  const world = await openWorld('pglite')
  const [shop, proxy] = await Promise.all([startPhpShop(php), startCuttingProxy(world.baseUrl)])
  const callbackPath = '/wc-api/comporta_callback/'
  const settings = {
    enabled: 'yes',
    title: 'Card and more',
    description: 'On the next page.',
    address: proxy.url,
    scheme: 'Comporta',
    api_key: world.shop.api_key,
    signing_secret: world.shop.callback_signing_secret,
    previous_secret: '',
  }
  await shop.act('settings', settings)
  await world.cli('merchant', 'set', String(world.shop.wallet_id), '--self-events', 'on')

  const sendCallbacksTo: ShopWorld['sendCallbacksTo'] = async (whom) => {
    await world.request(`/sandbox/api/merchants/${world.shop.wallet_id}/callback-url`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        callback_url: whom === 'shop' ? shop.origin + callbackPath : world.receiver.url('/callbacks'),
      }),
    })
  }
  await sendCallbacksTo('shop')

  const order: ShopWorld['order'] = async (change = {}) => (await shop.act('order', change)).id
  const checkoutOf: ShopWorld['checkoutOf'] = async (id) => {
    const { redirect, notices } = await shop.act('pay', { id })
    if (redirect === undefined) throw new Error(String(notices))
    return { url_redirect: redirect }
  }
  const shows: ShopWorld['shows'] = (id, look) =>
    world.eventually(async () => {
      const seen = await shop.act('show', { id })
      return look(seen) && seen
    })
  const post = async (body: string, headers: Record<string, string>) =>
    (await fetch(shop.origin + callbackPath, { method: 'POST', body, headers })).status

  return {
    world,
    shop,
    proxy,
    settings,
    order,
    checkoutOf,
    shows,
    async paidOrder(card, change) {
      const id = await order(change)
      await world.payOnPage(await checkoutOf(id), card)
      const { transaction } = await shows(id, ({ status }) => status === 'processing')
      return { id, payment: transaction }
    },
    async operationsOf(id, type = 'PAYMENT') {
      const payments = await world.shop.get(`/api/v2/operations?ext_invoiceid=${1000 + id}&type=PAYMENT`)
      if (type === 'PAYMENT') return payments.body.elements
      const children = await Promise.all(
        payments.body.elements.map((payment: Json) =>
          world.shop.get(`/api/v2/operations?parent=${payment.id}&type=${type}`),
        ),
      )
      return children.flatMap(({ body }) => body.elements)
    },
    sendCallbacksTo,
    async passOn(operationId, event = 'COMPLETED') {
      const callback = await world.eventually(async () =>
        world.receiver
          .received('/callbacks')
          .find(
            ({ body }) =>
              body.includes(`"event":"${event}"`) && body.includes(`"operation_id":"${operationId}"`),
          ),
      )
      const wanted = ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'content-type']
      return post(
        callback.body,
        Object.fromEntries(wanted.map((name) => [name, String(callback.headers[name])])),
      )
    },
    async send(body, { secret = world.shop.callback_signing_secret, age = 0, headers = {} } = {}) {
      const timestamp = String(Math.trunc(Date.now() / 1000) - age)
      const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
      const signature = createHmac('sha256', key).update(`event-1.${timestamp}.${body}`).digest('base64')
      return post(body, {
        'content-type': 'application/json',
        'webhook-id': 'event-1',
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${signature}`,
        ...headers,
      })
    },
    async comeBack(id) {
      const { attempt } = await shop.act('show', { id })
      const { body } = await world.shop.get(`/api/v2/checkout/${attempt.checkout_id}`)
      const { headers } = await fetch(body.url_confirm, { redirect: 'manual' })
      return headers.get('location') ?? ''
    },
    async stop() {
      await Promise.all([shop.stop(), proxy.close()])
      await world.stop()
    },
  }
}
