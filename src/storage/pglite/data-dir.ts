// The lock on DATA_DIR: two processes in one embedded database would destroy it.
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const ownersFolderMode = 0o700
const ownersFileMode = 0o600
/** Longer than {@link holderOfDataDir} looks: a gateway that starts at that moment is not turned away. */
const lockWaitMs = 200

export interface DataDirLock {
  release(): void
}

/**
 * Takes `folder` (made if missing, readable by its owner only) for this process, or says who has it.
 * The lock is SQLite's own on a small file: the operating system drops it with the process, however that ends.
 */
export function lockDataDir(folder: string): DataDirLock | { readonly heldBy: string } {
  mkdirSync(folder, { recursive: true, mode: ownersFolderMode })
  chmodSync(folder, ownersFolderMode)
  const holderFile = join(folder, 'lock.pid')
  const lockFile = join(folder, 'lock')
  ownersFile(lockFile)
  const lock = new DatabaseSync(lockFile, { timeout: lockWaitMs })
  try {
    lock.exec('pragma locking_mode = exclusive; begin exclusive')
  } catch {
    lock.close()
    return { heldBy: readHolder(holderFile) }
  }
  ownersFile(holderFile)
  writeFileSync(holderFile, String(process.pid))
  return { release: () => lock.close() }
}

/** Who has `folder`, or undefined where nobody has. Only reads: the folder may be a gateway's that is about to start. */
export function holderOfDataDir(folder: string): string | undefined {
  const lockFile = join(folder, 'lock')
  if (!existsSync(lockFile)) return undefined
  const lock = new DatabaseSync(lockFile, { readOnly: true })
  try {
    lock.exec('select 1 from sqlite_master')
    return undefined
  } catch {
    return readHolder(join(folder, 'lock.pid'))
  } finally {
    lock.close()
  }
}

/** The file, made if missing, for its owner only. */
function ownersFile(path: string): void {
  closeSync(openSync(path, 'a', ownersFileMode))
  chmodSync(path, ownersFileMode)
}

/**
 * Takes everything in `folder`, and the folder itself (made if missing), from everybody but its owner. The engine of
 * the embedded database makes its first files readable and writable by all.
 */
export function keepToOwner(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: ownersFolderMode })
  chmodSync(folder, ownersFolderMode)
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory()) chmodSync(path, ownersFolderMode)
    else if (entry.isFile()) chmodSync(path, ownersFileMode)
  }
}

function readHolder(file: string): string {
  try {
    return `process ${readFileSync(file, 'utf8')}`
  } catch {
    return 'another process'
  }
}
