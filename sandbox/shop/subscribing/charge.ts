// The merchant charges a subscription, or ends it, without asking the customer.
import { parseAmount } from '../../../src/http/index.ts'
import { lisbonDayOf } from '../../../src/kernel/lisbon.ts'
import type { Visit } from '../addresses.ts'
import type { Form } from '../bodies.ts'
import type { ShopContext } from '../context.ts'
import { callGateway } from '../gateway-api.ts'
import { newReference, requestId } from '../to-gateway.ts'
import { subscriptionPath } from './addresses.ts'
import { chargePayment } from './bodies.ts'
import { chargeStateAfter, type ShopCharge } from './model.ts'
import { refusalIn, saysNo, subscriptionRead } from './readings.ts'

/** `POST /api/v2/subscriptions/<id>/charge`: answered NEW at once, a callback tells what became of it. */
export async function chargeNow(context: ShopContext, visit: Visit, form: Form): Promise<string> {
  const { memory, clock } = context
  const { session, language } = visit
  const subscription = memory.session(session).subscriptions.get(form.subscription ?? '')
  if (subscription?.gatewayId === undefined) return subscriptionPath(visit, { problem: 'no_subscription' })
  const told = { subscription: subscription.reference }
  const amount = parseAmount((form.amount ?? '').replace(',', '.'), 'amount')
  // Whether it is too little or too much is for the API to say.
  if (!amount.ok) return subscriptionPath(visit, { ...told, problem: 'no_amount' })
  const asked: ShopCharge = {
    reference: newReference(context, 'SHOP'),
    subscription: subscription.reference,
    amount: Number(amount.value),
    day: lisbonDayOf(clock.now()),
    state: 'asked',
  }
  // Known before the call, because its callback may be faster than its answer.
  memory.record({ session, charge: asked })
  const answer = await callGateway(context, session, {
    method: 'POST',
    path: `/api/v2/subscriptions/${subscription.gatewayId}/charge`,
    body: { ...chargePayment(asked, language), request_id: requestId(context) },
  })
  const known = memory.session(session).charges.get(asked.reference) ?? asked
  const refusal = refusalIn(answer)
  const charge: ShopCharge =
    refusal === undefined
      ? { ...known, gatewayId: answer.body.id, state: chargeStateAfter(known.state, answer.body.status) }
      : { ...known, state: saysNo(answer) ? 'refused' : known.state, refusal }
  memory.record({ session, charge })
  return subscriptionPath(visit, { ...told, charge: asked.reference })
}

/** `DELETE /api/v2/subscriptions/<id>`. */
export async function endNow(context: ShopContext, visit: Visit, form: Form): Promise<string> {
  const { memory } = context
  const { session } = visit
  const asked = memory.session(session).subscriptions.get(form.subscription ?? '')
  if (asked?.gatewayId === undefined) return subscriptionPath(visit, { problem: 'no_subscription' })
  const answer = await callGateway(context, session, {
    method: 'DELETE',
    path: `/api/v2/subscriptions/${asked.gatewayId}`,
  })
  const known = memory.session(session).subscriptions.get(asked.reference) ?? asked
  const refusal = refusalIn(answer)
  const read = refusal === undefined ? subscriptionRead(known, answer.body) : known
  memory.record({ session, subscription: { ...read, refusal } })
  return subscriptionPath(visit, { subscription: asked.reference })
}
