// The SQL of due references.
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import type { OperationStatus } from '../../operations/index.ts'
import { claimDueSql, execute, rowSet, storeFunction } from '../../storage/index.ts'
import { type BankReference, bankReferences, type PaidOperation } from './model.ts'
import type { ReferenceRow } from './store.ts'

export interface DueReference {
  readonly reference: BankReference
  readonly operation: PaidOperation | undefined
}

export const claimDueReferences = storeFunction(
  (now: Instant, leasedUntil: Instant, limit: number) => [toTimestamp(now), toTimestamp(leasedUntil), limit],
  (
    rows: (ReferenceRow & {
      operation_status: OperationStatus | null
      operation_attempt_id: string | null
      operation_error: string | null
    })[],
  ) =>
    rows.map((row) => ({
      reference: bankReferences.read(row),
      operation:
        row.operation_status === null
          ? undefined
          : {
              status: row.operation_status,
              attemptId: row.operation_attempt_id ?? undefined,
              error: row.operation_error ?? undefined,
            },
    })),
)`
  with due as (
  ${claimDueSql('bank_references')}
    returning *
  )
  select due.*, operations.status as operation_status, operations.attempt_id as operation_attempt_id,
    operations.error as operation_error
  from due
  left join operations on operations.wallet_id = due.wallet_id and operations.id = due.operation_id`

export interface FinishedReference {
  readonly reference: BankReference
  readonly dueAt: Instant | undefined
}

const finishedSet = rowSet({
  wallet_id: 'bigint',
  id: 'uuid',
  deleted: 'boolean',
  next_due_at: 'timestamptz',
})
const finishedParameterCount = finishedSet.parameters([]).length

/** A reference that was deleted meanwhile stays due, so that it is withdrawn. */
export const finishReferences = execute((finished: readonly FinishedReference[], at: Instant) => [
  ...finishedSet.parameters(
    finished.map(({ reference, dueAt }) => ({
      wallet_id: reference.walletId,
      id: reference.id,
      deleted: reference.deletedAt !== undefined,
      next_due_at: dueAt === undefined ? null : toTimestamp(dueAt),
    })),
  ),
  toTimestamp(at),
])`
  with input as (${finishedSet.source})
  update bank_references set
    due_at = input.next_due_at,
    published_at = coalesce(bank_references.published_at, $${finishedParameterCount + 1}::timestamptz)
  from input
  where bank_references.wallet_id = input.wallet_id and bank_references.id = input.id
    and (bank_references.deleted_at is not null) = input.deleted`
