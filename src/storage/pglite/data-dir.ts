// The lock on DATA_DIR. Two processes would destroy an embedded database.
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
/** This wait is longer than {@link holderOfDataDir} holds the lock, so that a starting gateway gets it. */
const lockWaitMs = 200

export interface DataDirLock {
  release(): void
}

/** Locks the folder, or returns the holder. If the process dies, the operating system releases the lock. */
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

/** Reads who holds the lock. It does not take the lock, because a gateway may be about to start. */
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

function ownersFile(path: string): void {
  closeSync(openSync(path, 'a', ownersFileMode))
  chmodSync(path, ownersFileMode)
}

/** Restricts `folder` and its files to the owner. PGlite creates its first files for everybody. */
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
