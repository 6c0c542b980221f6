// The entry point of the backups module: the embedded database in one file.
export { BackupRefused } from './errors.ts'
export { finishRestore, type RestoreReport, restoreBackup } from './restore.ts'
export { type BackupReport, takeBackup } from './take.ts'
