// Opening operations by themselves: one grouped statement, together with the request id that asked for them.
import { type Database, grouped, type RequestClaim } from '../../storage/index.ts'
import type { ChildOperation, NewOperation } from '../model.ts'
import { type ChildOpening, insertChildren, type OpenedChildRow } from './children.ts'
import { insertOperations, type OpenedRow } from './open-sql.ts'

/** Opens an operation; false when its request id had been used before, and nothing was written. */
export type OpenOperation = (operation: NewOperation, request: RequestClaim | undefined) => Promise<boolean>

export function createOpen(database: Database): OpenOperation {
  const write = grouped<OpenedRow, boolean>({ database, write: (rows) => insertOperations(database, rows) })
  return (operation, request) => write({ operation, request })
}

/** Opens a capture, release or refund with what it reserves on its parent. */
export type OpenChild = (
  operation: ChildOperation,
  request: RequestClaim | undefined,
) => Promise<ChildOpening>

export function createOpenChild(database: Database): OpenChild {
  const write = grouped<OpenedChildRow, ChildOpening>({
    database,
    aggregateOf: ({ operation }) => operation.parentId,
    write: (rows) => insertChildren(database, rows),
  })
  return (operation, request) => write({ operation, request })
}
