// The customer subscribes: the shop creates the checkout, sends them there, and asks what became of it.
import { lisbonDayOf } from '../../../src/kernel/lisbon.ts'
import type { Visit } from '../addresses.ts'
import type { Form } from '../bodies.ts'
import type { ShopContext } from '../context.ts'
import { callGateway } from '../gateway-api.ts'
import { hearOfCheckouts, leave, newReference, noteBrowser, requestId } from '../to-gateway.ts'
import { subscriptionPath, subscriptionsPath } from './addresses.ts'
import { subscriptionCheckout } from './bodies.ts'
import { readSubscription } from './look.ts'
import type { ShopSubscription } from './model.ts'
import { allowance, planOf } from './offer.ts'
import { refusalIn, saysNo, subscriptionRead } from './readings.ts'

/** `POST /api/v2/checkout` with `subscription`, and with `payment` beside it where the plan has one. */
export async function subscribe(context: ShopContext, visit: Visit, form: Form): Promise<string> {
  const { memory, clock } = context
  const { session } = visit
  const reference = newReference(context, 'BOX')
  const asked: ShopSubscription = {
    reference,
    plan: planOf(form.plan),
    state: 'asked',
    amount: Number(allowance),
    startDate: lisbonDayOf(clock.now()),
  }
  await hearOfCheckouts(context)
  // Known before the call, because its callback may be faster than its answer.
  memory.record({ session, subscription: asked })
  const answer = await callGateway(context, session, {
    method: 'POST',
    path: '/api/v2/checkout',
    body: { ...subscriptionCheckout(context.baseUrl, visit, asked), request_id: requestId(context) },
  })
  const refusal = refusalIn(answer)
  if (refusal !== undefined) {
    memory.record({
      session,
      subscription: { ...asked, state: saysNo(answer) ? 'refused' : 'asked', refusal },
    })
    return subscriptionPath(visit, { subscription: reference })
  }
  const { id, url_redirect, subscription, payment } = answer.body
  const known = memory.session(session).subscriptions.get(reference) ?? asked
  memory.record({
    session,
    subscription: { ...subscriptionRead(known, subscription), checkoutId: id, payment: payment?.status },
  })
  const url = new URL(url_redirect)
  url.searchParams.set('lang', visit.language)
  return leave(context, visit, url.href)
}

/** The browser is back, which proves nothing: the shop reads the checkout, and the subscription it opened. */
export async function comeBackSubscribed(
  context: ShopContext,
  visit: Visit,
  reference: string,
): Promise<string> {
  const { memory } = context
  const { session } = visit
  const asked = memory.session(session).subscriptions.get(reference)
  if (asked?.checkoutId === undefined) return subscriptionPath(visit)
  noteBrowser(context, visit, 'back', `${subscriptionsPath}/return`)
  const { status, body } = await callGateway(context, session, {
    method: 'GET',
    path: `/api/v2/checkout/${asked.checkoutId}`,
  })
  if (status === 200) {
    const known = memory.session(session).subscriptions.get(reference) ?? asked
    const payment = body?.payment?.status ?? known.payment
    memory.record({ session, subscription: { ...subscriptionRead(known, body?.subscription), payment } })
  }
  await readSubscription(context, session, reference)
  return subscriptionPath(visit, { subscription: reference })
}
