// The keyring of a running process, refreshed from the key file.
import { statSync } from 'node:fs'
import type { Randomness } from '../../kernel/random.ts'
import { ok, type Result } from '../../kernel/result.ts'
import type { Keyring } from '../../kernel/sealing.ts'
import { appendKey, generateKeyFile, type MasterKeys, readKeyFile } from './key-file.ts'

export interface KeyringOptions {
  readonly generate: boolean
  readonly random: Randomness
}

export interface LiveKeyring extends Keyring {
  readonly path: string
  /** Reads the file again if it has changed. After an error (one sentence) the old keys stay. */
  refresh(): Result<void, string>
  addVersion?(): Promise<void>
}

/** Reads lines `<version> <32 bytes in base64>`; the highest version is used. The error is one sentence. */
export async function loadKeyring(
  path: string,
  { generate, random }: KeyringOptions,
): Promise<Result<LiveKeyring, string>> {
  if (generate) {
    const generated = await generateKeyFile(path, random)
    if (!generated.ok) return generated
  }
  let seen = stateOf(path)
  const read = readKeyFile(path)
  if (!read.ok) return read
  let keys = read.value
  let problem: string | undefined

  function refresh(): Result<void, string> {
    const state = stateOf(path)
    if (state !== seen) {
      // Take the state before reading, so that the next refresh notices a write in between.
      seen = state
      const again = readKeyFile(path)
      problem = again.ok ? replacedKey(keys, again.value, path) : again.refusal
      if (again.ok && problem === undefined) keys = again.value
    }
    return problem === undefined ? ok(undefined) : { ok: false, refusal: problem }
  }

  return ok({
    path,
    get current() {
      return newestOf(keys)
    },
    get keys() {
      return keys
    },
    refresh,
    ...(generate && { addVersion: () => appendKey(path, random) }),
  })
}

/** Changes with every write, on every kind of file system. Undefined if the file is missing. */
function stateOf(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats && [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(' ')
}

/** Returns the error for a changed key, with which no secret could be opened. The old keys then stay. */
function replacedKey(held: MasterKeys, fresh: MasterKeys, path: string): string | undefined {
  for (const [version, key] of held) {
    const now = fresh.get(version)
    if (now !== undefined && Buffer.compare(now, key) !== 0) {
      return `the master key file ${path} has a changed key of version ${version}: add versions, never change one`
    }
  }
  return undefined
}

function newestOf(keys: MasterKeys): number {
  return Math.max(...keys.keys())
}
