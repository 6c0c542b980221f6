// The SQL of opening operations that belong to no checkout.
import {
  claimRequestsSql,
  type Executor,
  type RequestClaim,
  requestColumns,
  requestRow,
  rowSet,
  statement,
} from '../storage/index.ts'
import type { NewOperation } from './model.ts'
import { openOperationsSql, operationColumns, operationRow } from './store.ts'

const newOperations = rowSet({ ...operationColumns, ...requestColumns })

const openNewOperations = statement<{ id: string }>(`
  with input as (${newOperations.source}),
  ${claimRequestsSql('input')},
  ${openOperationsSql('admitted')}
  select id from opened_operations`)

export interface OpenedRow {
  readonly operation: NewOperation
  readonly request: RequestClaim | undefined
}

/** Writes the operations whose request ids are new; answers per row whether it was written. */
export async function insertOperations(db: Executor, rows: readonly OpenedRow[]): Promise<boolean[]> {
  const values = rows.map(({ operation, request }) => ({
    ...operationRow(operation),
    ...requestRow(request),
  }))
  const written = await db.run(openNewOperations, newOperations.parameters(values))
  const ids = new Set(written.map(({ id }) => id))
  return rows.map(({ operation }) => ids.has(operation.id))
}
