// Opening operations by themselves: one grouped statement, together with the idempotency key that asked for them.
import type { Claim } from '../../idempotency/index.ts'
import { type Database, grouped } from '../../storage/index.ts'
import type { ChildOperation, NewOperation } from '../model.ts'
import { type ChildOpening, insertChildren, type OpenedChildRow } from './children.ts'
import { insertOperations, type OpenedRow } from './open-sql.ts'

/** Opens an operation; false when its idempotency key had been used before, and nothing was written. */
export type OpenOperation = (operation: NewOperation, claim: Claim | undefined) => Promise<boolean>

export function createOpen(database: Database): OpenOperation {
  const write = grouped<OpenedRow, boolean>({ database, write: (rows) => insertOperations(database, rows) })
  return (operation, claim) => write({ operation, claim })
}

/** Opens a capture, release or refund with what it reserves on its parent. */
export type OpenChild = (operation: ChildOperation, claim: Claim | undefined) => Promise<ChildOpening>

export function createOpenChild(database: Database): OpenChild {
  const write = grouped<OpenedChildRow, ChildOpening>({
    database,
    aggregateOf: ({ operation }) => operation.parentId,
    write: (rows) => insertChildren(database, rows),
  })
  return (operation, claim) => write({ operation, claim })
}
