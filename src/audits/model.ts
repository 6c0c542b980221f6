// The runs of the audit that are kept.
import { column, type RowOf, table } from '../storage/tables/table.ts'

export const auditRuns = table(
  'audit_runs',
  {
    id: column.bigint(),
    startedAt: column.instant(),
    /** An e-mail, or the command. */
    startedBy: column.text(),
    endedAt: column.instant().optional(),
    checksTotal: column.integer(),
    /** Rows examined, by check. */
    checks: column.json<Readonly<Record<string, number>>>(),
    /** The first of them. */
    problems: column.json<readonly { check: string; subject: string; detail: string }[]>(),
    problemsTotal: column.integer(),
    /** Why it was not finished. */
    error: column.text().optional(),
  },
  {
    /** The last sign of life of the process that runs it. */
    seenAt: column.instant(),
  },
)

/** One run; without an end it is in progress. */
export type AuditRun = RowOf<typeof auditRuns>
