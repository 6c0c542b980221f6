// Outcomes of requests with a key, for all kinds of objects.

import { findCheckout, subjectOf } from '../checkouts/index.ts'
import type { RequestOutcome } from '../idempotency/index.ts'
import type { Clock } from '../kernel/time.ts'
import { findStoring } from '../methods/cards/index.ts'
import { findMandate, type Mandate } from '../methods/mbway/index.ts'
import { findReference } from '../methods/multibanco/index.ts'
import { findOperation, type OperationStatus } from '../operations/index.ts'
import { findLink } from '../payment-links/index.ts'
import type { Database } from '../storage/index.ts'
import { type ChargeStatus, findChargeById } from '../subscriptions/index.ts'

type RequestStatus = RequestOutcome['status']

const statusOf: Record<OperationStatus, RequestStatus> = {
  NEW: 'NEW',
  PENDING: 'PENDING',
  COMPLETED: 'COMPLETED',
  FAIL: 'FAIL',
  VOIDED: 'FAIL',
}

const statusOfCharge: Record<ChargeStatus, RequestStatus> = {
  NEW: 'NEW',
  PROCESSING: 'PENDING',
  SUCCESS: 'COMPLETED',
  FAIL: 'FAIL',
}

/** An approved mandate counts as approved, even if it ends later. Only an approved one has a last day. */
function statusOfMandate({ state, expiryDate }: Mandate): RequestStatus {
  if (state === 'REQUESTED') return 'PENDING'
  return expiryDate === undefined ? 'FAIL' : 'COMPLETED'
}

export function requestOutcomes({ database, clock }: { database: Database; clock: Clock }) {
  return async (walletId: bigint, id: string): Promise<RequestOutcome> => {
    const checkout = await findCheckout(database, walletId, id)
    const subject = checkout === undefined ? await findOperation(database, walletId, id) : subjectOf(checkout)
    if (subject !== undefined) return { status: statusOf[subject.status] }
    const charge = await findChargeById(database, walletId, id)
    if (charge !== undefined) return { status: statusOfCharge[charge.status] }
    const mandate = await findMandate({ database, clock }, walletId, id)
    if (mandate !== undefined) return { status: statusOfMandate(mandate) }
    if ((await findLink(database, walletId, id)) !== undefined) return { status: 'COMPLETED' }
    const storing = await findStoring(database, walletId, id)
    if (storing === undefined) {
      const recurring = await findReference(database, walletId, id)
      return { status: recurring === undefined ? 'PENDING' : 'COMPLETED' }
    }
    const { state: status, token } = storing
    return token === undefined ? { status, storesCard: true } : { status, token: token.toUpperCase() }
  }
}
