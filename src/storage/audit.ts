// A check of `comporta audit`: a statement that finds invalid rows.
import { type Executor, statementWithoutTimeLimit } from './database.ts'

export interface AuditFinding {
  readonly check: string
  readonly subject: string
  readonly detail: string
}

export interface AuditCheck {
  readonly name: string
  run(db: Executor): Promise<{ examined: number; findings: AuditFinding[] }>
}

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

export function codesSql(codes: readonly string[]): string {
  return `array[${codes.map((code) => `'${code}'`).join(', ')}]`
}

/** SQL of {@link derivedId}'s result. Both arguments are SQL. */
export function derivedIdSql(id: string, purpose: string): string {
  return `(
    select (left(hash, 12) || '8' || substr(hash, 14, 3)
      || translate(substr(hash, 17, 1), '0123456789abcdef', '89ab89ab89ab89ab') || substr(hash, 18, 15))::uuid
    from encode(sha256(convert_to(${purpose} || ' ' || ${id}, 'UTF8')), 'hex') as hash
  )`
}
