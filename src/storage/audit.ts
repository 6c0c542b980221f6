// A check of `comporta audit`: a statement that finds the rows that break a rule.
import { type Executor, statementWithoutTimeLimit } from './database.ts'

/** What a check of `comporta audit` found. */
export interface AuditFinding {
  readonly check: string
  readonly subject: string
  readonly detail: string
}

export interface AuditCheck {
  readonly name: string
  /** Rows examined, and what is wrong with them. */
  run(db: Executor): Promise<{ examined: number; findings: AuditFinding[] }>
}

/** A check whose statement answers the rows that are wrong, as `subject` and `detail`. */
export function auditCheck(name: string, counted: string, wrong: string): AuditCheck {
  const countRows = statementWithoutTimeLimit<{ examined: bigint }>(
    `select count(*) as examined from ${counted}`,
  )
  const selectWrong = statementWithoutTimeLimit<{ subject: string; detail: string }>(wrong)
  return {
    name,
    async run(db) {
      const [count] = await db.run(countRows)
      const rows = await db.run(selectWrong)
      const findings = rows.map(({ subject, detail }) => ({ check: name, subject, detail }))
      return { examined: Number(count?.examined ?? 0n), findings }
    },
  }
}
