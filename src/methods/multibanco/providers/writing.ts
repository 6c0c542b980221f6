// Writing of new references: own ones in batches, others singly.
import type { Claim } from '../../../idempotency/index.ts'
import { deny } from '../../../kernel/result.ts'
import { batched, type Database, type Executor } from '../../../storage/index.ts'
import type { BankReference } from '../model.ts'
import type { Numbering } from '../store.ts'

interface NewRow {
  readonly reference: BankReference
  readonly claim: Claim | undefined
}

type Insert<Row> = (db: Executor, rows: readonly Row[], numbering: Numbering) => Promise<boolean[]>

export function writingReferences<Row extends NewRow>(
  database: Database,
  insert: Insert<Row>,
): (row: Row) => Promise<boolean> {
  const write = batched<Row, boolean>({ database, write: (rows) => insert(database, rows, 'ours') })
  return async (row) => {
    if (row.reference.number !== undefined) return write(row)
    const [isNew = false] = await insert(database, [row], 'theirs')
    if (!isNew && row.claim === undefined)
      deny('rail_unavailable', 'the provider of references took too long: try again')
    return isNew
  }
}
