// The tables of providers' statements and differences.
import { column, type RowOf, table } from '../storage/tables/table.ts'

/** Past days of connections. */
export const statementDays = table('statement_days', {
  connectionId: column.bigint(),
  day: column.day(),
  /** Number of reads. */
  reads: column.integer(),
  readAt: column.instant().optional(),
  /** In a row. */
  failures: column.integer(),
  lastError: column.text().optional(),
  /** Undefined after the last read. */
  dueAt: column.instant().optional(),
})

export type StatementDay = RowOf<typeof statementDays>

export type StatementLineKind = 'payment' | 'refund' | 'dispute' | 'payout' | 'fee' | 'other'

/** @public Compared with the schema. */
export const statementLines = table('statement_lines', {
  connectionId: column.bigint(),
  /** The provider's id. */
  id: column.text(),
  day: column.day(),
  kind: column.text<StatementLineKind>(),
  /** In cents, above zero if credited at the provider. */
  amount: column.bigint(),
  /** In cents, above zero if the provider kept it. */
  fee: column.bigint(),
  key: column.uuid().optional(),
  providerId: column.text().optional(),
  bookedAt: column.instant(),
  walletId: column.bigint().optional(),
  /** A payment, or an authorization with its captures. */
  operationId: column.uuid().optional(),
})

/** `missing`: not at the provider. `unknown`: not in the ledger. `amount`: different amounts. */
export type DifferenceKind = 'missing' | 'unknown' | 'amount'

export const statementDifferences = table('statement_differences', {
  id: column.bigint(),
  connectionId: column.bigint(),
  subject: column.text(),
  walletId: column.bigint().optional(),
  operationId: column.uuid().optional(),
  lineId: column.text().optional(),
  /** The first day on either side. */
  day: column.day(),
  kind: column.text<DifferenceKind>(),
  ledgerAmount: column.bigint(),
  statementAmount: column.bigint(),
  foundAt: column.instant(),
  /** Both sides agree since then. */
  resolvedAt: column.instant().optional(),
  note: column.text().optional(),
  explainedAt: column.instant().optional(),
})

export type Difference = RowOf<typeof statementDifferences>
