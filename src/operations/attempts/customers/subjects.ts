// Attempts to pay an operation: how they take it, and what their rail's answer does to it.
import { crashPoint } from '../../../kernel/crash-points.ts'
import type { Clock } from '../../../kernel/time.ts'
import type { Database } from '../../../storage/index.ts'
import type { Operation } from '../../model.ts'
import { findOperation } from '../../read/store.ts'
import type { Settle } from '../../settle/settle.ts'
import { type AttemptReference, beginApproval, chooseAttempt, endApproval } from '../approvals.ts'
import { completeBy, hasPaid } from '../complete.ts'
import type { CustomerAttempt } from '../model.ts'
import type { AttemptSubject } from './handler.ts'

export interface SubjectDeps {
  readonly database: Database
  readonly clock: Clock
  readonly settle: Settle
}

/** An operation that stays open when an attempt fails: the customer of a checkout may try again. */
export function openOperation({ database, clock, settle }: SubjectDeps): AttemptSubject<unknown> {
  return {
    choose: (tx, attempt) =>
      chooseAttempt(tx, referenceOf(attempt), attempt.method, clock.now(), phoneOf(attempt)),
    begin: (tx, attempt) => beginApproval(tx, referenceOf(attempt), clock.now()),
    async approved(attempt) {
      const { key: id, method } = attempt
      const isOurs = await completeBy({ database, settle }, await operationOf(database, attempt), {
        id,
        method,
      })
      if (!isOurs) return 'late'
      crashPoint('settled, its attempt still open')
      return 'paid'
    },
    async declined(attempt) {
      if (await endApproval(database, referenceOf(attempt), clock.now())) return true
      return !(await hasPaid(database, await operationOf(database, attempt), attempt.key))
    },
  }
}

/** An operation that was opened with its one attempt, and fails with it. */
export function closedOperation(deps: SubjectDeps): AttemptSubject<unknown> {
  const { database, settle } = deps
  return {
    ...openOperation(deps),
    async declined(attempt, error) {
      const { key: attemptId } = attempt
      const operation = await operationOf(database, attempt)
      const guard = { kind: 'attempt', attemptId } as const
      if ((await settle(operation, { status: 'FAIL', guard, error })) !== undefined) return true
      return !(await hasPaid(database, operation, attemptId))
    },
  }
}

/** The operation that a customer's attempt is about. */
async function operationOf(
  database: Database,
  { walletId, operationId, key }: CustomerAttempt,
): Promise<Operation> {
  const operation = await findOperation(database, walletId, operationId)
  if (operation === undefined) throw new Error(`attempt ${key} has no operation`)
  return operation
}

/** Whom a mobile wallet asks: lists of operations are narrowed by it. */
function phoneOf({ details }: CustomerAttempt): string | undefined {
  return (details as { readonly phone?: string }).phone
}

function referenceOf({ walletId, operationId, key }: CustomerAttempt): AttemptReference {
  return { walletId, operationId, attemptId: key }
}
