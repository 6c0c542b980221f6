// Opening operations: by themselves, with the idempotency key that asked for them, or as part of a statement of another module.

import { type Claim, claimParts } from '../../idempotency/index.ts'
import type { Cents } from '../../kernel/money.ts'
import { column, type Database, type Executor, grouped, rowSet, statement } from '../../storage/index.ts'
import { type NewOperation, newOperations, type Operation } from '../model.ts'
import { countOperationsSql } from '../read/counts-store.ts'

/** Opens an operation; false when its idempotency key had been used before, and nothing was written. */
export type OpenOperation = (operation: NewOperation, claim: Claim | undefined) => Promise<boolean>

export function createOpen(database: Database): OpenOperation {
  const write = grouped<OpenedRow, boolean>({ database, write: (rows) => insertOperations(database, rows) })
  return (operation, claim) => write({ operation, claim })
}

/** An operation not settled yet: {@link NewOperation} with what reads of it show. */
export function openedOperation(operation: NewOperation): Operation {
  return {
    ...operation,
    fee: 0n as Cents,
    underApproval: operation.underApproval ?? false,
    refunded: 0n as Cents,
    cameBack: 0n as Cents,
    refundRevision: 0,
    captured: 0n as Cents,
    captures: 0,
    released: 0n as Cents,
    modifiedAt: operation.createdAt,
  }
}

/**
 * When a movement is looked at belongs to the resolver's tables, so that no update of an operation moves an index.
 */
const openedOperations = newOperations.with({ dueAt: column.instant().optional() })

/** Columns of the row set that {@link openOperationsSql} reads. */
export const operationColumns = openedOperations.types

/** The values of {@link operationColumns}. */
export const operationRow = openedOperations.write

/**
 * Common table expressions that open the operations of `source`, which has {@link operationColumns}, as
 * `opened_operations`. Those with a due time are handed to the resolver in one row for all of them: nearly every one
 * is settled before it is due, and then nothing has to be removed for it ({@link writeDueAttempts}).
 */
export function openOperationsSql(source: string): string {
  return `
    opened_operations as (
      insert into operations (${newOperations.list()}, modified_at)
      select ${newOperations.list()}, created_at from ${source}
      returning id, wallet_id, type
    ),
    ${countOperationsSql('opened_operations')},
    movements_to_watch as (
      insert into opened_movements (due_at, id, wallet_ids, operation_ids)
      select max(due_at), (array_agg(id))[1], array_agg(wallet_id), array_agg(id) from ${source}
      where due_at is not null
      having count(*) > 0
    )`
}

const openedSet = rowSet({ ...operationColumns, ...claimParts.columns })

const openNewOperations = statement<{ id: string }>(`
  with input as (${openedSet.source}),
  ${claimParts.sql('input')},
  ${openOperationsSql('admitted')}
  select id from opened_operations`)

export interface OpenedRow {
  readonly operation: NewOperation
  readonly claim: Claim | undefined
}

/** Writes the operations whose idempotency keys are new; answers per row whether it was written. */
export async function insertOperations(db: Executor, rows: readonly OpenedRow[]): Promise<boolean[]> {
  const values = rows.map(({ operation, claim }) => ({
    ...operationRow(operation),
    ...claimParts.row(claim),
  }))
  const written = await db.run(openNewOperations, openedSet.parameters(values))
  const ids = new Set(written.map(({ id }) => id))
  return rows.map(({ operation }) => ids.has(operation.id))
}
