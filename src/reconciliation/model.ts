// The tables of providers' statements and differences.
import { column, type RowOf, table } from '../storage/tables/table.ts'

/** The days of each connection whose statements are read. */
export const statementDays = table('statement_days', {
  connectionId: column.bigint(),
  day: column.day(),
  /** How often the day was read. */
  reads: column.integer(),
  readAt: column.instant().optional(),
  /** Failures in a row. */
  failures: column.integer(),
  lastError: column.text().optional(),
  /** Undefined after the last read. */
  dueAt: column.instant().optional(),
})

export type StatementDay = RowOf<typeof statementDays>

export type StatementLineKind = 'payment' | 'refund' | 'dispute' | 'payout' | 'fee' | 'other'

/** @public Tested against the schema. */
export const statementLines = table('statement_lines', {
  connectionId: column.bigint(),
  /** The provider's id of the line. */
  id: column.text(),
  day: column.day(),
  kind: column.text<StatementLineKind>(),
  /** In cents. Above zero if the provider credited it. */
  amount: column.bigint(),
  /** In cents. Above zero if the provider kept it. */
  fee: column.bigint(),
  key: column.uuid().optional(),
  providerId: column.text().optional(),
  bookedAt: column.instant(),
  walletId: column.bigint().optional(),
  /** The payment that the line belongs to, or the authorization with its captures. */
  operationId: column.uuid().optional(),
})

/** `missing`: the provider lacks it. `unknown`: the ledger lacks it. `amount`: the amounts differ. */
export type DifferenceKind = 'missing' | 'unknown' | 'amount'

export const statementDifferences = table('statement_differences', {
  id: column.bigint(),
  connectionId: column.bigint(),
  subject: column.text(),
  walletId: column.bigint().optional(),
  operationId: column.uuid().optional(),
  lineId: column.text().optional(),
  /** The first day on which the ledger or the statement has the amount. */
  day: column.day(),
  kind: column.text<DifferenceKind>(),
  ledgerAmount: column.bigint(),
  statementAmount: column.bigint(),
  foundAt: column.instant(),
  /** Since then both sides agree. */
  resolvedAt: column.instant().optional(),
  note: column.text().optional(),
  explainedAt: column.instant().optional(),
})

export type Difference = RowOf<typeof statementDifferences>
