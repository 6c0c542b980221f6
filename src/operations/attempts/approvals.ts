// Who may decide about an operation: the customer's latest attempt, and one rail at a time.

import { type Instant, toTimestamp } from '../../kernel/time.ts'
import type { Method } from '../../methods/list.ts'
import { type Executor, statement } from '../../storage/index.ts'

/** What points at one attempt of a customer on an operation. */
export interface AttemptReference {
  readonly walletId: bigint
  readonly operationId: string
  readonly attemptId: string
}

const chooseMethod = statement<{ id: string }>(`
  update operations set
    status = 'PENDING', method = $4, attempt_id = $3, modified_at = $5, phone = $6, mb_entity = null, mb_ref = null
  where wallet_id = $1 and id = $2 and status in ('NEW', 'PENDING') and not under_approval
  returning id`)

/**
 * Makes `attemptId` the operation's attempt: NEW becomes PENDING, an earlier attempt can no longer settle it.
 *
 * @param phone whom a mobile wallet asks; lists are narrowed by it
 * @returns false when the operation is final or a rail is deciding about it
 */
export async function chooseAttempt(
  db: Executor,
  { walletId, operationId, attemptId }: AttemptReference,
  method: Method,
  now: Instant,
  phone?: string,
): Promise<boolean> {
  const parameters = [walletId, operationId, attemptId, method, toTimestamp(now), phone ?? null]
  return (await db.run(chooseMethod, parameters)).length === 1
}

const markUnderApproval = statement<{ id: string }>(`
  update operations set under_approval = true, modified_at = $4
  where wallet_id = $1 and id = $2 and attempt_id = $3 and status = 'PENDING' and not under_approval
  returning id`)

/** Hands the decision to a rail; false when the attempt was replaced, or the operation is final. */
export async function beginApproval(db: Executor, attempt: AttemptReference, now: Instant): Promise<boolean> {
  const { walletId, operationId, attemptId } = attempt
  return (await db.run(markUnderApproval, [walletId, operationId, attemptId, toTimestamp(now)])).length === 1
}

const lockUnderApproval = statement<{ id: string }>(`
  select id from operations
  where wallet_id = $1 and id = $2 and attempt_id = $3 and status = 'PENDING' and under_approval
  for no key update`)

/** Locks an operation that this attempt is deciding about; false when it was decided. */
export async function holdApproval(db: Executor, attempt: AttemptReference): Promise<boolean> {
  const { walletId, operationId, attemptId } = attempt
  return (await db.run(lockUnderApproval, [walletId, operationId, attemptId])).length === 1
}

const unmarkUnderApproval = statement<{ id: string }>(`
  update operations set under_approval = false, modified_at = $4
  where wallet_id = $1 and id = $2 and attempt_id = $3 and under_approval
  returning id`)

/** Takes the decision back after the rail said no, so that the customer may try again. */
export async function endApproval(db: Executor, attempt: AttemptReference, now: Instant): Promise<boolean> {
  const { walletId, operationId, attemptId } = attempt
  return (
    (await db.run(unmarkUnderApproval, [walletId, operationId, attemptId, toTimestamp(now)])).length === 1
  )
}
