// The SQL that opens payments by card data, in one statement.

import { idempotencyClaimCte } from '../../../idempotency/index.ts'
import type { Instant } from '../../../kernel/time.ts'
import {
  attemptColumns,
  attemptRow,
  type OpenedRow,
  openAttemptsSql,
} from '../../../operations/for-methods.ts'
import { openOperationsSql, operationColumns, operationRow } from '../../../operations/index.ts'
import { batched, type Database, rowSet, statement } from '../../../storage/index.ts'
import type { CardAttempt } from '../model.ts'

const operationSet = rowSet({ ...operationColumns, ...idempotencyClaimCte.columns })
const attemptSet = rowSet(attemptColumns, operationSet.parameters([]).length + 1)

const openPayments = statement<{ id: string }>(`
  with input as (${operationSet.source}),
  attempt as (${attemptSet.source}),
  ${idempotencyClaimCte.sql('input')},
  ${openOperationsSql('admitted')},
  opened_attempts as (
    ${openAttemptsSql('attempt')}
    where operation_id in (select id from admitted)
  )
  select id from opened_operations`)

export interface CardPayment extends OpenedRow {
  readonly attempt: CardAttempt
  readonly dueAt: Instant
}

export type OpenCardPayment = (payment: CardPayment) => Promise<boolean>

export function createOpenCardPayment(database: Database): OpenCardPayment {
  return batched<CardPayment, boolean>({
    database,
    async write(rows) {
      const operations = rows.map(({ operation, claim }) => ({
        ...operationRow(operation),
        ...idempotencyClaimCte.row(claim),
      }))
      const attempts = rows.map(({ attempt, dueAt }) => attemptRow(attempt, dueAt))
      const parameters = [...operationSet.parameters(operations), ...attemptSet.parameters(attempts)]
      const opened = new Set((await database.run(openPayments, parameters)).map(({ id }) => id))
      return rows.map(({ operation }) => opened.has(operation.id))
    },
  })
}
