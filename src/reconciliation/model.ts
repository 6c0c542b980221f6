// What providers have booked by day, and where that differs from the ledger.
import { column, type RowOf, table } from '../storage/tables/table.ts'

/** Days of connections that are over. */
export const statementDays = table('statement_days', {
  connectionId: column.bigint(),
  day: column.day(),
  /** How often it was read. */
  reads: column.integer(),
  readAt: column.instant().optional(),
  /** In a row. */
  failures: column.integer(),
  lastError: column.text().optional(),
  /** Undefined once it was read for the last time. */
  dueAt: column.instant().optional(),
})

export type StatementDay = RowOf<typeof statementDays>

export type StatementLineKind = 'payment' | 'refund' | 'dispute' | 'payout' | 'fee' | 'other'

/** @public Compared with the schema. */
export const statementLines = table('statement_lines', {
  connectionId: column.bigint(),
  /** The provider's. */
  id: column.text(),
  day: column.day(),
  kind: column.text<StatementLineKind>(),
  /** In cents, above zero where the account at the provider gained. */
  amount: column.bigint(),
  /** In cents, above zero where the provider kept it. */
  fee: column.bigint(),
  key: column.uuid().optional(),
  providerId: column.text().optional(),
  bookedAt: column.instant(),
  walletId: column.bigint().optional(),
  /** What it is about: a payment, or an authorization with its captures. */
  operationId: column.uuid().optional(),
})

/** `missing`: not at the provider. `unknown`: not in the ledger. `amount`: in both, over different amounts. */
export type DifferenceKind = 'missing' | 'unknown' | 'amount'

export const statementDifferences = table('statement_differences', {
  id: column.bigint(),
  connectionId: column.bigint(),
  subject: column.text(),
  walletId: column.bigint().optional(),
  operationId: column.uuid().optional(),
  lineId: column.text().optional(),
  /** The first on which either side has it. */
  day: column.day(),
  kind: column.text<DifferenceKind>(),
  ledgerAmount: column.bigint(),
  statementAmount: column.bigint(),
  foundAt: column.instant(),
  /** When both sides agreed after all. */
  resolvedAt: column.instant().optional(),
  note: column.text().optional(),
  explainedAt: column.instant().optional(),
})

export type Difference = RowOf<typeof statementDifferences>
