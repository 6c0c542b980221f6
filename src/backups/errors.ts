// Why a file could not be written or read, in words for who gave the command.
import { dirname } from 'node:path'

/** Thrown with a sentence for the operator: nothing was changed. */
export class BackupRefused extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'BackupRefused'
  }
}

/** The refusal for what the system says about `path`, or the error itself where it says nothing of the kind. */
export function refusalOf(error: unknown, path: string): unknown {
  const { code } = error as NodeJS.ErrnoException
  const reason = code === undefined ? undefined : reasons[code]
  return reason === undefined ? error : new BackupRefused(reason(path))
}

const notAllowed = (path: string) =>
  `${path} cannot be read or written: the gateway’s user needs permission for it`
const noRoom = (path: string) => `the disk of ${dirname(path)} is full: nothing was left there, make room`

const reasons: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) => `${path} cannot be found: name a file in a folder that exists`,
  ENOTDIR: (path) => `${dirname(path)} is no folder: name a file in a folder that exists`,
  EISDIR: (path) => `${path} is a folder: name a file`,
  EEXIST: (path) => `${path} exists already: name another file, nothing is written over`,
  EACCES: notAllowed,
  EPERM: notAllowed,
  EROFS: (path) => `the disk of ${dirname(path)} takes no writes: name a file on another one`,
  ENOSPC: noRoom,
  EDQUOT: noRoom,
  // What zlib says of a file that is none of its own, that ends early, or whose sum is wrong.
  Z_DATA_ERROR: (path) => `${path} is damaged, or no back-up`,
  Z_BUF_ERROR: (path) => `${path} ends too early: it was not copied whole`,
}
