// Where to deliver: asked on a page of its own before any method, of customers whose merchant asks for shipping.
import type { Checkout } from '../model.ts'
import { subjectOf } from '../subject-rules.ts'

/** Whether the customer has yet to say where to deliver; what the merchant sent is only a proposal. */
export function lacksDelivery(checkout: Checkout): boolean {
  return asksDelivery(checkout) && subjectOf(checkout).client?.address?.typed !== true
}

/** Whether the customer is asked at all. */
export function asksDelivery({ requiredFields }: Checkout): boolean {
  return requiredFields.shipping === true
}
