// The ways to pay at the demo shop; each answers where the customer's browser goes next.
import { type Problem, pagePath, type Visit } from './addresses.ts'
import { cardPayment, checkoutPayment, encryptedCard, type Form, returnAddresses } from './bodies.ts'
import type { ShopContext } from './context.ts'
import { type Answer, type Call, callGateway } from './gateway-api.ts'
import { basketOf, totalOf } from './goods.ts'
import type { Order, Way } from './model.ts'
import { stateOf, withState } from './outcome.ts'
import { hearOfCheckouts, leave, newReference, requestId } from './to-gateway.ts'

/** `POST /api/v2/checkout`: the customer pays on the gateway's page. */
export async function payOnCheckout(context: ShopContext, visit: Visit, form: Form): Promise<string> {
  const order = begin(context, visit, 'checkout', form)
  if (totalOf(order.basket) === 0n) return problem(visit, 'empty_basket')
  await hearOfCheckouts(context)
  const { answer, kept } = await ask(context, visit, order, {
    path: '/api/v2/checkout',
    body: { ...checkoutPayment(context, visit, order), request_id: requestId(context) },
  })
  if (answer.status !== 200) return pagePath(visit, { order: kept })
  const url = new URL(answer.body.url_redirect)
  url.searchParams.set('lang', visit.language)
  return leave(context, visit, url.href)
}

/** `POST /prows/v2/payment` with the card that the secure form fields encrypted. */
export async function payWithFields(context: ShopContext, visit: Visit, form: Form): Promise<string> {
  const order = begin(context, visit, 'fields', form)
  const newCardSecure = encryptedCard(form)
  if (newCardSecure === undefined) return problem(visit, 'no_card_fields')
  if (totalOf(order.basket) === 0n) return problem(visit, 'empty_basket')
  const { answer, kept } = await ask(context, visit, order, {
    path: '/prows/v2/payment',
    body: { ...cardPayment(context, visit, order), newCardSecure, request_id: requestId(context) },
  })
  return answer.status === 200
    ? leave(context, visit, answer.body.cardsecure_url_redirect)
    : pagePath(visit, { order: kept })
}

/** `POST /prows/v2/creditcard`: the card is kept for the next time, nothing is paid. */
export async function storeCard(context: ShopContext, visit: Visit, form: Form): Promise<string> {
  const order = begin(context, visit, 'card', form)
  const newCardSecure = encryptedCard(form)
  if (newCardSecure === undefined) return problem(visit, 'no_card_fields')
  await hearOfCheckouts(context)
  const { answer, kept } = await ask(context, visit, order, {
    path: '/prows/v2/creditcard',
    body: { ...returnAddresses(context, visit, order), newCardSecure, request_id: order.reference },
  })
  return answer.status === 200
    ? leave(context, visit, answer.body.cardsecure_url_redirect)
    : pagePath(visit, { order: kept })
}

/** `POST /prows/v2/payment` with the stored card's token: answered at once, the customer goes nowhere. */
export async function payWithToken(context: ShopContext, visit: Visit, form: Form): Promise<string> {
  const { card } = context.memory.session(visit.session)
  const order = begin(context, visit, 'token', form)
  if (card === undefined) return problem(visit, 'no_stored_card')
  if (totalOf(order.basket) === 0n) return problem(visit, 'empty_basket')
  const { kept } = await ask(context, visit, order, {
    path: '/prows/v2/payment',
    body: {
      ...cardPayment(context, visit, order),
      card: { token: card.token },
      request_id: requestId(context),
    },
  })
  return pagePath(visit, { order: kept })
}

/** `DELETE /prows/v2/creditcard/<token>`. */
export async function forgetCard(context: ShopContext, visit: Visit): Promise<string> {
  const { card } = context.memory.session(visit.session)
  if (card === undefined) return problem(visit, 'no_stored_card')
  const { status } = await callGateway(context, visit.session, {
    method: 'DELETE',
    path: `/prows/v2/creditcard/${card.token}`,
  })
  if (status === 200) context.memory.record({ session: visit.session, card: null })
  return pagePath(visit)
}

/** A new order of what the form's basket holds; written down once the gateway has answered. */
function begin(context: ShopContext, { session }: Visit, way: Way, form: Form): Order {
  const basket = basketOf(form)
  context.memory.record({ session, basket })
  const reference = way === 'card' ? requestId(context) : newReference(context, 'SHOP')
  return { reference, way, basket, state: 'begun' }
}

/** Known before the call, because its callback may be faster than its answer. */
async function ask(
  context: ShopContext,
  { session }: Visit,
  order: Order,
  call: Omit<Call, 'method'>,
): Promise<{ answer: Answer; kept: Order }> {
  context.memory.record({ session, order })
  const answer = await callGateway(context, session, { method: 'POST', ...call })
  const kept = afterAnswer(context.memory.session(session).orders.get(order.reference) ?? order, answer)
  context.memory.record({ session, order: kept })
  return { answer, kept }
}

function afterAnswer(order: Order, { status, body }: Answer): Order {
  if (status === 200) {
    const state = order.way === 'token' ? stateOf(body?.status) : order.state
    return { ...withState(order, state), gatewayId: body?.id }
  }
  const reason = typeof body?.reason === 'string' ? body.reason : undefined
  return { ...order, state: status === 402 ? 'failed' : 'refused', reason }
}

function problem(visit: Visit, problem: Problem): string {
  return pagePath(visit, { problem })
}
