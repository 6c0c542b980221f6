// Completing an operation by the attempt that its rail approved.

import type { Instant } from '../../kernel/time.ts'
import type { CardSummary } from '../../kernel/values/card-numbers.ts'
import type { Method } from '../../methods/list.ts'
import type { Database, Executor } from '../../storage/index.ts'
import type { Operation } from '../model.ts'
import { findOperation } from '../read/store.ts'
import type { Settle } from '../settle/settle.ts'

export interface ApprovedAttempt {
  readonly id: string
  readonly method: Method
  readonly card?: CardSummary | undefined
  readonly heldUntil?: Instant | undefined
}

/**
 * Settles what a rail approved under the id of an attempt; repeated it settles once. False when the operation has
 * ended, or goes on, without the attempt: then settling has had the rail's approval written down, to be reversed.
 */
export async function completeBy(
  { database, settle }: { readonly database: Database; readonly settle: Settle },
  operation: Operation,
  { id: attemptId, method, card, heldUntil }: ApprovedAttempt,
): Promise<boolean> {
  const guard = { kind: 'attempt', attemptId } as const
  const settled = await settle({ ...operation, method }, { status: 'COMPLETED', guard, card, heldUntil })
  if (settled !== undefined) return true
  return hasPaid(database, operation, attemptId)
}

/** Whether the attempt has completed its operation, perhaps by another process that learnt of its approval first. */
export async function hasPaid(
  db: Executor,
  { walletId, id }: Pick<Operation, 'walletId' | 'id'>,
  attemptId: string,
): Promise<boolean> {
  const current = await findOperation(db, walletId, id)
  return current?.status === 'COMPLETED' && current.attemptId === attemptId
}
