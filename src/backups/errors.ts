// Refusals of backup and restore for the operator.
import { dirname } from 'node:path'

export class BackupRefused extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'BackupRefused'
  }
}

/** Returns the refusal for a known file system error about `path`. Any other error is returned unchanged. */
export function refusalOf(error: unknown, path: string): unknown {
  const { code } = error as NodeJS.ErrnoException
  const reason = code === undefined ? undefined : reasons[code]
  return reason === undefined ? error : new BackupRefused(reason(path))
}

const notAllowed = (path: string) =>
  `${path} cannot be read or written: the gateway’s user needs permission for it`
const noRoom = (path: string) => `the disk of ${dirname(path)} is full: make room (no partial file was left)`

const reasons: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) => `${path} cannot be found: name a file in a folder that exists`,
  ENOTDIR: (path) => `${dirname(path)} is not a folder: name a file in a folder that exists`,
  EISDIR: (path) => `${path} is a folder: name a file`,
  EEXIST: (path) => `${path} exists already: name another file (backups never overwrite a file)`,
  EACCES: notAllowed,
  EPERM: notAllowed,
  EROFS: (path) => `the disk of ${dirname(path)} is read-only: name a file on another disk`,
  ENOSPC: noRoom,
  EDQUOT: noRoom,
  // zlib's errors: first another format or a wrong checksum, then a file that ends too early.
  Z_DATA_ERROR: (path) => `${path} is damaged, or is not a backup`,
  Z_BUF_ERROR: (path) => `${path} ends too early: copy the whole file again`,
}
