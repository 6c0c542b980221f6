// The table of audit runs.
import { column, type RowOf, table } from '../storage/tables/table.ts'

export const auditRuns = table(
  'audit_runs',
  {
    id: column.bigint(),
    startedAt: column.instant(),
    /** The e-mail address of an operator, or the command. */
    startedBy: column.text(),
    endedAt: column.instant().optional(),
    checksTotal: column.integer(),
    checks: column.json<Readonly<Record<string, number>>>(),
    problems: column.json<readonly { check: string; subject: string; detail: string }[]>(),
    problemsTotal: column.integer(),
    error: column.text().optional(),
  },
  {
    /** When the process last showed a sign of life. */
    seenAt: column.instant(),
  },
)

export type AuditRun = RowOf<typeof auditRuns>
