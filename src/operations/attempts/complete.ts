// Completes an operation by an approved attempt.

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

/** Settles an approved attempt, once. False if the operation ended otherwise; the approval is then reversed. */
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

export async function hasPaid(
  db: Executor,
  { walletId, id }: Pick<Operation, 'walletId' | 'id'>,
  attemptId: string,
): Promise<boolean> {
  const current = await findOperation(db, walletId, id)
  return current?.status === 'COMPLETED' && current.attemptId === attemptId
}
