// A gateway and a shop that uses it through the plugin, and what their tests do again and again.
import { createHmac } from 'node:crypto'
import { openWorld } from '../gateway-here.ts'
import type { Json, TestCard, World } from '../world.ts'
import { type CuttingProxy, startCuttingProxy } from './cutting-proxy.ts'
import { type PhpShop, startPhpShop } from './php-shop.ts'

export interface ShopWorld {
  readonly world: World
  readonly shop: PhpShop
  /** Between the shop and the gateway. */
  readonly proxy: CuttingProxy
  readonly settings: Readonly<Record<string, string>>
  /** An order that waits for its payment. */
  order(change?: object): Promise<number>
  /** The customer presses "Place order": the checkout's page. */
  checkoutOf(id: number): Promise<{ url_redirect: string }>
  /** An order that was paid by card, and whose payment the shop has noted. */
  paidOrder(card: TestCard, change?: object): Promise<{ id: number; payment: string }>
  /** The order, once `look` finds in it what it looks for. */
  shows(id: number, look: (order: Json) => boolean): Promise<Json>
  /** The gateway's operations that belong to an order, newest first. */
  operationsOf(id: number, type?: string): Promise<Json[]>
  /** Where the gateway sends callbacks: the shop, or the receiver of the world, from which they are passed on. */
  sendCallbacksTo(whom: 'shop' | 'receiver'): Promise<void>
  /** Passes a callback on to the shop that the receiver got about this operation, exactly as it came; its status. */
  passOn(operationId: string, event?: string): Promise<number>
  /** Sends a callback of our own making to the shop; its status. */
  send(
    body: string,
    change?: { secret?: string; age?: number; headers?: Record<string, string> },
  ): Promise<number>
  /** The customer comes back from the gateway's page: where the shop sends them. */
  comeBack(id: number): Promise<string>
  stop(): Promise<void>
}

/** Starts both; the shop has the settings that work, and gets the callbacks. */
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
