// The SQL of opening payments by card data: the operation, its request id and the attempt to pay it, in one statement.
import { attemptColumns, attemptRow, type CardAttempt, openAttemptsSql } from '../cards/index.ts'
import type { Instant } from '../kernel/time.ts'
import { type OpenedRow, openOperationsSql, operationColumns, operationRow } from '../operations/index.ts'
import {
  claimRequestsSql,
  type Database,
  grouped,
  requestColumns,
  requestRow,
  rowSet,
  statement,
} from '../storage/index.ts'

const operationSet = rowSet({ ...operationColumns, ...requestColumns })
const attemptSet = rowSet(attemptColumns, operationSet.parameters([]).length + 1)

const openPayments = statement<{ id: string }>(`
  with input as (${operationSet.source}),
  attempt as (${attemptSet.source}),
  ${claimRequestsSql('input')},
  ${openOperationsSql('admitted')},
  opened_attempts as (
    ${openAttemptsSql('attempt')}
    where subject_id in (select id from admitted)
  )
  select id from opened_operations`)

export interface CardPayment extends OpenedRow {
  readonly attempt: CardAttempt
  /** When the attempt ends if the customer does not come back. */
  readonly dueAt: Instant
}

/** Opens a payment with its attempt; false when its request id had been used before, and nothing was written. */
export type OpenCardPayment = (payment: CardPayment) => Promise<boolean>

/** {@link OpenCardPayment} in `database`: payments that are asked for at the same time share a statement. */
export function createOpenCardPayment(database: Database): OpenCardPayment {
  return grouped<CardPayment, boolean>({
    database,
    async write(rows) {
      const operations = rows.map(({ operation, request }) => ({
        ...operationRow(operation),
        ...requestRow(request),
      }))
      const attempts = rows.map(({ attempt, dueAt }) => attemptRow(attempt, dueAt))
      const parameters = [...operationSet.parameters(operations), ...attemptSet.parameters(attempts)]
      const opened = new Set((await database.run(openPayments, parameters)).map(({ id }) => id))
      return rows.map(({ operation }) => opened.has(operation.id))
    },
  })
}
