// The audit: every check of every module, one after the other.
import type { AuditReport } from '../cli/context.ts'
import type { AuditCheck, Database } from '../storage/index.ts'

/** Runs all checks; the report is what `comporta audit` prints. */
export async function audit(database: Database, checks: readonly AuditCheck[]): Promise<AuditReport> {
  const report = {
    ok: true,
    checks: {} as Record<string, number>,
    problems: [] as AuditReport['problems'][number][],
  }
  for (const check of checks) {
    const { examined, findings } = await check.run(database)
    report.checks[check.name] = examined
    report.problems.push(...findings)
  }
  return { ...report, ok: report.problems.length === 0 }
}
