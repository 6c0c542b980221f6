// The entry point of the storage module.
export { type AuditCheck, type AuditFinding, auditCheck } from './audit.ts'
export type { DataDirLock } from './data-dir.ts'
export { lockDataDir } from './data-dir.ts'
export type { Database, Executor, Lookup, Statement } from './database.ts'
export { DatabaseUnavailable, statement } from './database.ts'
export { claimDueSql } from './due-rows.ts'
export { bytesPerMebibyte, type FreeSpace, lookAtFreeSpace } from './free-space.ts'
export type { GroupedWrite } from './grouped.ts'
export { grouped } from './grouped.ts'
export {
  createKeyRotation,
  type KeyRotation,
  type KeyringStatus,
  type RotationReport,
} from './key-rotation.ts'
export { type LiveKeyring, loadKeyring } from './keyring.ts'
export type { LeasedWork, Worker } from './leases.ts'
export { createWorker, pauseMs } from './leases.ts'
export { lookup } from './lookups.ts'
export { hasSchema, isCurrent, migrate } from './migrate.ts'
export { type MigrationList, migrationList } from './migration-list.ts'
export { type PageOfList, selectPage } from './pages.ts'
export { openPglite } from './pglite.ts'
export { openPostgres } from './postgres.ts'
export type { ColumnType, RowSet } from './row-set.ts'
export { rowSet } from './row-set.ts'
export { readTogether } from './same-reads.ts'
export { type SealedColumn, sealedColumn } from './sealed-column.ts'
export {
  type Columns,
  column,
  type Fields,
  type NewRowOf,
  type RowOf,
  type StoredRowOf,
  table,
} from './table.ts'
export { startWatchdog } from './watchdog.ts'
