// Breaks the books by SQL, notes which checks of the audit find it, and rolls back.
import { expect } from 'vitest'
import { type AuditCheck, type Database, statement } from '../src/storage/index.ts'

/** The names of the checks that report something after the SQL `broken`. */
export async function findingsAfter(
  database: Database,
  checks: readonly AuditCheck[],
  broken: string,
): Promise<string[]> {
  const found: string[] = []
  const looked = database.transaction(async (tx) => {
    // Switches off the triggers that keep the books append only.
    await tx.run(statement(`set local session_replication_role = replica`))
    await tx.run(statement(broken))
    for (const check of checks) if ((await check.run(tx)).findings.length > 0) found.push(check.name)
    throw new Error('taken back')
  })
  await expect(looked).rejects.toThrow('taken back')
  return found
}
