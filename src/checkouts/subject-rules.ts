// What the customer of a checkout decides about: its operation, or the subscription where nothing is paid at once.
import type { Operation, OperationStatus } from '../operations/index.ts'
import type { Subscription, SubscriptionStatus } from '../subscriptions/index.ts'
import type { Checkout } from './model.ts'

/** What pages need of it, whichever it is. */
export type Subject = Pick<
  Operation,
  | 'id'
  | 'status'
  | 'method'
  | 'attemptId'
  | 'underApproval'
  | 'amount'
  | 'currency'
  | 'client'
  | 'items'
  | 'card'
  | 'phone'
  | 'settledAt'
  | 'error'
>

export function subjectOf(checkout: Checkout): Subject {
  return checkout.operation ?? subjectOfSubscription(checkout.subscription)
}

function subjectOfSubscription(subscription: Subscription): Subject {
  const { status, method } = subscription
  if (status === 'NEW' && method !== undefined) return { ...subscription, status: 'PENDING' }
  const succeeded = status === 'VOIDED' && wasAccepted(subscription)
  return { ...subscription, status: succeeded ? 'COMPLETED' : decidedAs[status] }
}

/** Whether there is something that it can be, or could have been, charged on. */
function wasAccepted({ card, mandateId, consumerId }: Subscription): boolean {
  return card !== undefined || mandateId !== undefined || consumerId !== undefined
}

/** Whatever becomes of an accepted subscription later, its checkout succeeded. */
const decidedAs: Record<SubscriptionStatus, OperationStatus> = {
  NEW: 'NEW',
  APPROVED: 'COMPLETED',
  EXPIRED: 'COMPLETED',
  CANCELED: 'COMPLETED',
  FAILED: 'FAIL',
  VOIDED: 'VOIDED',
}
