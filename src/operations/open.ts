// Opening operations by themselves: one grouped statement, together with the request id that asked for them.
import { type Database, grouped, type RequestClaim } from '../storage/index.ts'
import type { NewOperation } from './model.ts'
import { insertOperations, type OpenedRow } from './open-store.ts'

/** Opens an operation; false when its request id had been used before, and nothing was written. */
export type OpenOperation = (operation: NewOperation, request: RequestClaim | undefined) => Promise<boolean>

export function createOpen(database: Database): OpenOperation {
  const write = grouped<OpenedRow, boolean>({ database, write: (rows) => insertOperations(database, rows) })
  return (operation, request) => write({ operation, request })
}
