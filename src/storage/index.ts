// The entry point of the storage module.
export { type AuditCheck, type AuditFinding, auditCheck, codesSql, derivedIdSql } from './audit.ts'
export {
  type Database,
  DatabaseUnavailable,
  type Executor,
  execute,
  findAll,
  findFirst,
  hasRows,
  type Lookup,
  refusingTransaction,
  type Statement,
  statement,
  storeFunction,
  writtenRow,
} from './database.ts'
export {
  createKeyRotation,
  type KeyRotation,
  type KeyringStatus,
  type RotationReport,
} from './keys/key-rotation.ts'
export { type LiveKeyring, loadKeyring } from './keys/keyring.ts'
export { type SealedColumn, sealedColumn } from './keys/sealed-column.ts'
export {
  claimDueSql,
  createBatchWorker,
  createPeriodicWorker,
  createWorker,
  type LeasedWork,
  pauseMs,
  type Worker,
} from './leases.ts'
export {
  appliedSteps,
  hasSchema,
  isCurrent,
  isOutdated,
  knownSteps,
  migrate,
  OutdatedDatabase,
} from './migrate.ts'
export { type MigrationList, migrationList } from './migrations/index.ts'
export { type DataDirLock, holderOfDataDir, lockDataDir } from './pglite/data-dir.ts'
export { bytesPerMebibyte, type FreeSpace, measureFreeSpace } from './pglite/free-space.ts'
export { openPglite } from './pglite/pglite.ts'
export { startWatchdog } from './pglite/watchdog.ts'
export { openPostgres, timelineSql } from './postgres/postgres.ts'
export { type BatchedWrite, batched, lookup, rowMaker } from './reads/batched.ts'
export { type PageOfList, selectPage } from './reads/pages.ts'
export { sharedRead } from './reads/shared-reads.ts'
export type { ColumnType } from './tables/column.ts'
export {
  type Columns,
  column,
  type Fields,
  type NewRowOf,
  type RowOf,
  type RowSet,
  rowSet,
  type StoredRowOf,
  table,
} from './tables/table.ts'
