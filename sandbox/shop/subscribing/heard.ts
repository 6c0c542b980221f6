// What a genuine callback about a subscription changes of what the shop remembers.
import type { Change, Session } from '../model.ts'
import { chargeStateAfter, type ShopCharge, subscriptionStateAfter } from './model.ts'

type Callback = Readonly<Record<string, unknown>>

/** Nothing, where it is about something that the shop does not follow, such as the phone's mandate. */
export function subscriptionChangeToldBy(callback: Callback, session: Session): Omit<Change, 'session'> {
  if (callback.charge_order_id !== undefined) {
    const charge = chargeOf(callback, session)
    return charge === undefined
      ? {}
      : { charge: { ...charge, state: chargeStateAfter(charge.state, callback.event) } }
  }
  const subscription = session.subscriptions.get(String(callback.ext_subscriptionid))
  if (subscription !== undefined && 'subscription_end_date' in callback) {
    const { event, subscription_id: id, subscription_end_date: endDate } = callback
    return {
      subscription: {
        ...subscription,
        state: subscriptionStateAfter(subscription.state, event),
        gatewayId: String(id),
        endDate: typeof endDate === 'string' ? endDate : subscription.endDate,
      },
    }
  }
  const paid = session.subscriptions.get(String(callback.ext_invoiceid))
  return paid === undefined ? {} : { subscription: { ...paid, payment: String(callback.operation_status) } }
}

/** By the shop's own reference: the callback may be faster than the answer that tells the id. */
function chargeOf({ ext_invoiceid: reference }: Callback, { charges }: Session): ShopCharge | undefined {
  return charges.get(String(reference))
}
