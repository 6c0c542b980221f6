// What became of an order: asked of the gateway when the browser comes back, told by callback otherwise.
import { pagePath, type Visit } from './addresses.ts'
import type { ShopContext } from './context.ts'
import { callGateway } from './gateway-api.ts'
import { type Order, type OrderState, shopPath } from './model.ts'
import { noteBrowser } from './to-gateway.ts'

/** The shop's word for a status of the gateway's. */
export function stateOf(status: unknown): OrderState {
  if (status === 'COMPLETED') return 'done'
  return status === 'FAIL' || status === 'VOIDED' ? 'failed' : 'pending'
}

/** The order in a new state; what has ended stays as it ended, whichever news comes last. */
export function withState(order: Order, state: OrderState): Order {
  const ended = order.state === 'done' || order.state === 'failed'
  return ended ? order : { ...order, state }
}

/**
 * The browser is back. That it came to this address proves nothing, so the shop asks the gateway, and answers
 * where its page tells of it.
 */
export async function comeBack(context: ShopContext, visit: Visit, reference: string): Promise<string> {
  const { memory } = context
  const { session } = visit
  const order = memory.session(session).orders.get(reference)
  if (order === undefined) return pagePath(visit)
  noteBrowser(context, visit, 'back', `${shopPath}/return`)
  const ask = order.way === 'card' ? askForCard : askForPayment
  const state = await ask(context, session, order)
  const now = withState(memory.session(session).orders.get(reference) ?? order, state ?? 'pending')
  memory.record({ session, order: now })
  return pagePath(visit, { order: now })
}

async function askForPayment(
  context: ShopContext,
  session: string,
  { way, gatewayId }: Order,
): Promise<OrderState | undefined> {
  const path = way === 'checkout' ? `/api/v2/checkout/${gatewayId}` : `/api/v2/operations/${gatewayId}`
  const { status, body } = await callGateway(context, session, { method: 'GET', path })
  if (status !== 200) return undefined
  return stateOf(way === 'checkout' ? body?.payment?.status : body?.status)
}

/** Asks for the token of a card that was stored, and for what may be shown of the card. */
async function askForCard(
  context: ShopContext,
  session: string,
  { reference }: Order,
): Promise<OrderState | undefined> {
  const request = await callGateway(context, session, {
    method: 'GET',
    path: `/api/v2/requests/${reference}`,
  })
  if (request.status !== 200) return undefined
  const token: unknown = request.body?.token
  if (typeof token === 'string') {
    const { status, body } = await callGateway(context, session, {
      method: 'GET',
      path: `/prows/v2/creditcard/${token}`,
    })
    if (status === 200) {
      const card = { token, brand: String(body?.type), last4: String(body?.last4) }
      context.memory.record({ session, card })
    }
  }
  return stateOf(request.body?.status)
}
