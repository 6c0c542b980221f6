// The entry point of the storage module.
export { type AuditCheck, type AuditFinding, auditCheck } from './audit.ts'
export type { Database, Executor, Lookup, Statement } from './database.ts'
export { DatabaseUnavailable, statement } from './database.ts'
export { claimDueSql } from './due-rows.ts'
export {
  createKeyRotation,
  type KeyRotation,
  type KeyringStatus,
  type RotationReport,
} from './keys/key-rotation.ts'
export { type LiveKeyring, loadKeyring } from './keys/keyring.ts'
export { type SealedColumn, sealedColumn } from './keys/sealed-column.ts'
export type { LeasedWork, Worker } from './leases.ts'
export { createWorker, pauseMs } from './leases.ts'
export { hasSchema, isCurrent, migrate } from './migrate.ts'
export { type MigrationList, migrationList } from './migration-list.ts'
export type { DataDirLock } from './pglite/data-dir.ts'
export { lockDataDir } from './pglite/data-dir.ts'
export { bytesPerMebibyte, type FreeSpace, lookAtFreeSpace } from './pglite/free-space.ts'
export { openPglite } from './pglite/pglite.ts'
export { startWatchdog } from './pglite/watchdog.ts'
export { openPostgres } from './postgres/postgres.ts'
export type { GroupedWrite } from './reads/grouped.ts'
export { grouped } from './reads/grouped.ts'
export { lookup } from './reads/lookups.ts'
export { type PageOfList, selectPage } from './reads/pages.ts'
export { readTogether } from './reads/same-reads.ts'
export type { ColumnType, RowSet } from './tables/row-set.ts'
export { rowSet } from './tables/row-set.ts'
export {
  type Columns,
  column,
  type Fields,
  type NewRowOf,
  type RowOf,
  type StoredRowOf,
  table,
} from './tables/table.ts'
