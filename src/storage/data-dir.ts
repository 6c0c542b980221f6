// The lock on DATA_DIR: two processes in one embedded database would destroy it.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export interface DataDirLock {
  release(): void
}

/**
 * Takes `folder` (made if missing, readable by its owner only) for this process, or says who has it.
 * The lock is SQLite's own on a small file: the operating system drops it with the process, however that ends.
 */
export function lockDataDir(folder: string): DataDirLock | { readonly heldBy: string } {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
  const holderFile = join(folder, 'lock.pid')
  const lock = new DatabaseSync(join(folder, 'lock'))
  try {
    lock.exec('pragma locking_mode = exclusive; begin exclusive')
  } catch {
    lock.close()
    return { heldBy: readHolder(holderFile) }
  }
  writeFileSync(holderFile, String(process.pid))
  return { release: () => lock.close() }
}

function readHolder(file: string): string {
  try {
    return `process ${readFileSync(file, 'utf8')}`
  } catch {
    return 'another process'
  }
}
