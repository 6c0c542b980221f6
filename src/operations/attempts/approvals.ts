// Which attempt may decide about an operation.

import { type Instant, toTimestamp } from '../../kernel/time.ts'
import type { CardSummary } from '../../kernel/values/card-numbers.ts'
import type { Method } from '../../methods/list.ts'
import { type Database, type Executor, hasRows, statement } from '../../storage/index.ts'
import type { Operation } from '../model.ts'
import { findOperation } from '../read/store.ts'
import type { Settle } from '../settle/model.ts'

export interface AttemptReference {
  readonly walletId: bigint
  readonly operationId: string
  readonly attemptId: string
}

/** Makes this attempt the only one that can settle the operation. Returns false if it is too late. */
export const chooseAttempt = hasRows(
  ({ walletId, operationId, attemptId }: AttemptReference, method: Method, now: Instant, phone?: string) => [
    walletId,
    operationId,
    attemptId,
    method,
    toTimestamp(now),
    phone ?? null,
  ],
)`
  update operations set
    status = 'PENDING', method = $4, attempt_id = $3, modified_at = $5, phone = $6, mb_entity = null, mb_ref = null
  where wallet_id = $1 and id = $2 and status in ('NEW', 'PENDING') and not under_approval
  returning id`

const markUnderApproval = statement<{ id: string }>(`
  update operations set under_approval = true, modified_at = $4
  where wallet_id = $1 and id = $2 and attempt_id = $3 and status = 'PENDING' and not under_approval
  returning id`)

/** Returns false if the attempt was replaced or the operation is final. */
export async function beginApproval(db: Executor, attempt: AttemptReference, now: Instant): Promise<boolean> {
  const { walletId, operationId, attemptId } = attempt
  return (await db.run(markUnderApproval, [walletId, operationId, attemptId, toTimestamp(now)])).length === 1
}

const lockUnderApproval = statement<{ id: string }>(`
  select id from operations
  where wallet_id = $1 and id = $2 and attempt_id = $3 and status = 'PENDING' and under_approval
  for no key update`)

/** Locks an operation for which this attempt may decide. Returns false if it was decided already. */
export async function holdApproval(db: Executor, attempt: AttemptReference): Promise<boolean> {
  const { walletId, operationId, attemptId } = attempt
  return (await db.run(lockUnderApproval, [walletId, operationId, attemptId])).length === 1
}

const unmarkUnderApproval = statement<{ id: string }>(`
  update operations set under_approval = false, modified_at = $4
  where wallet_id = $1 and id = $2 and attempt_id = $3 and under_approval
  returning id`)

export async function endApproval(db: Executor, attempt: AttemptReference, now: Instant): Promise<boolean> {
  const { walletId, operationId, attemptId } = attempt
  return (
    (await db.run(unmarkUnderApproval, [walletId, operationId, attemptId, toTimestamp(now)])).length === 1
  )
}

export interface ApprovedAttempt {
  readonly id: string
  readonly method: Method
  readonly card?: CardSummary | undefined
  readonly heldUntil?: Instant | undefined
}

/** Settles an approved attempt, once. Returns false after another outcome; the approval is then reversed. */
export async function completeByAttempt(
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
