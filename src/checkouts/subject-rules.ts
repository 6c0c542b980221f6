// The subject of a checkout: its operation or its subscription.
import type { Operation, OperationStatus } from '../operations/index.ts'
import type { Subscription, SubscriptionStatus } from '../subscriptions/index.ts'
import type { Checkout } from './model.ts'

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

function wasAccepted({ card, mandateId, consumerId }: Subscription): boolean {
  return card !== undefined || mandateId !== undefined || consumerId !== undefined
}

/** An accepted subscription counts as success, even if it ends later. */
const decidedAs: Record<SubscriptionStatus, OperationStatus> = {
  NEW: 'NEW',
  APPROVED: 'COMPLETED',
  EXPIRED: 'COMPLETED',
  CANCELED: 'COMPLETED',
  FAILED: 'FAIL',
  VOIDED: 'VOIDED',
}
