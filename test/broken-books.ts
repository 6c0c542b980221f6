// Breaks the books of a real PostgreSQL, looks which checks of the audit see it, and takes it back.
import { expect } from 'vitest'
import { type AuditCheck, type Database, statement } from '../src/storage/index.ts'

/** Names of those of `checks` that find something after the SQL `broken`. */
export async function findingsAfter(
  database: Database,
  checks: readonly AuditCheck[],
  broken: string,
): Promise<string[]> {
  const found: string[] = []
  const looked = database.transaction(async (tx) => {
    // Without it the triggers that keep the books append only would refuse.
    await tx.run(statement(`set local session_replication_role = replica`))
    await tx.run(statement(broken))
    for (const check of checks) if ((await check.run(tx)).findings.length > 0) found.push(check.name)
    throw new Error('taken back')
  })
  await expect(looked).rejects.toThrow('taken back')
  return found
}
