// Attempts to pay an operation: how outcomes change the operation.
import { unwrap } from '../../../kernel/result.ts'
import type { Clock, Instant } from '../../../kernel/time.ts'
import type { CardSummary } from '../../../kernel/values/card-numbers.ts'
import type { Database } from '../../../storage/index.ts'
import { admitPayment } from '../../limits.ts'
import type { Operation } from '../../model.ts'
import { findOperation } from '../../read/store.ts'
import type { Settle } from '../../settle/model.ts'
import {
  type AttemptReference,
  beginApproval,
  chooseAttempt,
  completeByAttempt,
  endApproval,
  hasPaid,
} from '../approvals.ts'
import type { CustomerAttempt } from '../model.ts'
import type { AttemptPurpose } from './handler.ts'

export interface SubjectDeps {
  readonly database: Database
  readonly clock: Clock
  readonly settle: Settle
}

export interface SettlingAttempt<Details> {
  cardOf?(attempt: CustomerAttempt<Details>): CardSummary | undefined
  /** Called before the operation is settled. Must be safe to repeat. */
  beforeSettling?(operation: Operation, attempt: CustomerAttempt<Details>): Promise<void>
}

/** An operation that stays open after a failed attempt, such as a checkout. */
export function openOperation<Details>(
  deps: SubjectDeps,
  settling: SettlingAttempt<Details> = {},
): AttemptPurpose<Details> {
  const { database, clock } = deps
  return {
    choose: (tx, attempt) =>
      chooseAttempt(tx, referenceOf(attempt), attempt.method, clock.now(), phoneOf(attempt)),
    async begin(tx, attempt, wallet) {
      if (!(await beginApproval(tx, referenceOf(attempt), clock.now()))) return false
      const { operationId, amount } = attempt
      const payment = { operationId, amount, field: 'amount' }
      unwrap(await admitPayment(deps, wallet, payment, tx))
      return true
    },
    approved: (attempt, heldUntil) => complete(deps, attempt, settling, heldUntil),
    async declined(attempt) {
      if (await endApproval(database, referenceOf(attempt), clock.now())) return true
      return !(await hasPaid(database, await operationOf(database, attempt), attempt.key))
    },
  }
}

/** An operation with a single attempt, which fails with it. */
export function closedOperation<Details>(
  deps: SubjectDeps,
  settling: SettlingAttempt<Details> = {},
): AttemptPurpose<Details> {
  const { database, settle } = deps
  return {
    ...openOperation(deps, settling),
    async declined(attempt, error) {
      const { key: attemptId } = attempt
      const operation = await operationOf(database, attempt)
      const guard = { kind: 'attempt', attemptId } as const
      if ((await settle(operation, { status: 'FAIL', guard, error })) !== undefined) return true
      return !(await hasPaid(database, operation, attemptId))
    },
    async failed(attempt, error) {
      const guard = { kind: 'no_rail_deciding' } as const
      await settle(await operationOf(database, attempt), { status: 'FAIL', guard, error })
    },
  }
}

async function complete<Details>(
  { database, settle }: SubjectDeps,
  attempt: CustomerAttempt<Details>,
  { cardOf, beforeSettling }: SettlingAttempt<Details>,
  heldUntil: Instant | undefined,
): Promise<'paid' | 'late'> {
  const operation = await operationOf(database, attempt)
  await beforeSettling?.(operation, attempt)
  const { key: id, method } = attempt
  const approved = { id, method, card: cardOf?.(attempt), heldUntil }
  return (await completeByAttempt({ database, settle }, operation, approved)) ? 'paid' : 'late'
}

export async function operationOf(
  database: Database,
  { walletId, operationId, key }: CustomerAttempt,
): Promise<Operation> {
  const operation = await findOperation(database, walletId, operationId)
  if (operation === undefined) throw new Error(`attempt ${key} has no operation`)
  return operation
}

function phoneOf({ details }: CustomerAttempt): string | undefined {
  return (details as { readonly phone?: string }).phone
}

function referenceOf({ walletId, operationId, key }: CustomerAttempt): AttemptReference {
  return { walletId, operationId, attemptId: key }
}
