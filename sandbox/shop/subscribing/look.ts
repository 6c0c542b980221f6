// The shop asks the gateway how a subscription and its charges stand.
import type { Visit } from '../addresses.ts'
import type { Form } from '../bodies.ts'
import type { ShopContext } from '../context.ts'
import { callGateway } from '../gateway-api.ts'
import { subscriptionPath } from './addresses.ts'
import { chargeRead, refusalIn, subscriptionRead } from './readings.ts'

const chargesReadMax = 30

/** `GET /api/v2/subscriptions/<id>` and `GET /api/v2/subscriptions/<id>/charge`. */
export async function lookAgain(context: ShopContext, visit: Visit, form: Form): Promise<string> {
  const reference = form.subscription ?? ''
  await readSubscription(context, visit.session, reference)
  await readCharges(context, visit.session, reference)
  return subscriptionPath(visit, { subscription: reference })
}

/** Takes down what the gateway says of the subscription; nothing where it does not answer. */
export async function readSubscription(
  context: ShopContext,
  session: string,
  reference: string,
): Promise<void> {
  const { memory } = context
  const asked = memory.session(session).subscriptions.get(reference)
  if (asked?.gatewayId === undefined) return
  const answer = await callGateway(context, session, {
    method: 'GET',
    path: `/api/v2/subscriptions/${asked.gatewayId}`,
  })
  const known = memory.session(session).subscriptions.get(reference) ?? asked
  const refusal = refusalIn(answer)
  const read = refusal === undefined ? subscriptionRead(known, answer.body) : known
  memory.record({ session, subscription: { ...read, refusal } })
}

async function readCharges(context: ShopContext, session: string, reference: string): Promise<void> {
  const { memory } = context
  const gatewayId = memory.session(session).subscriptions.get(reference)?.gatewayId
  if (gatewayId === undefined) return
  const { status, body } = await callGateway(context, session, {
    method: 'GET',
    path: `/api/v2/subscriptions/${gatewayId}/charge?limit=${chargesReadMax}`,
  })
  if (status !== 200) return
  const elements: { readonly charge_order: Readonly<Record<string, unknown>> }[] = body.elements
  // The list is newest first, the shop's memory oldest first.
  for (const { charge_order: order } of elements.toReversed()) {
    const charges = [...memory.session(session).charges.values()]
    const known = charges.find((charge) => charge.gatewayId === order.id)
    const charge = chargeRead(known, reference, order)
    if (charge !== undefined) memory.record({ session, charge })
  }
}
