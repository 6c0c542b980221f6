// The keyring of a running process: read from the file of master keys, and taken up again when keys are added.
import { statSync } from 'node:fs'
import type { Randomness } from '../../kernel/random.ts'
import { ok, type Result } from '../../kernel/result.ts'
import type { Keyring } from '../../kernel/sealing.ts'
import { appendKey, generateKeyFile, type MasterKeys, readKeyFile } from './key-file.ts'

export interface KeyringOptions {
  /** Make the file when it is missing: for the sandbox only, where losing it loses nothing of value. */
  readonly generate: boolean
  readonly random: Randomness
}

/** A keyring whose `keys` and `current` follow its file. */
export interface LiveKeyring extends Keyring {
  readonly path: string
  /**
   * Reads the file again if it changed since it was last read; otherwise asks for nothing but its state.
   *
   * @returns one sentence that says what is wrong with the file; then the keys stay as they were
   */
  refresh(): Result<void, string>
  /** Adds a random key as the newest version. Only where the file is ours to write: where it was generated. */
  addVersion?(): Promise<void>
}

/**
 * Reads the keyring from `path`: one line per key, `<version> <32 bytes in base64>`, the highest
 * version current; blank lines and lines that begin with # are ignored.
 *
 * @returns the keyring, or one sentence that says what is wrong with the file
 */
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
      // Noted before reading: what is written meanwhile is a change for the next time.
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

/** What changes with every change of the file, wherever it is mounted from; undefined when it is not there. */
function stateOf(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats && [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(' ')
}

/** Under a key that was exchanged nothing would open, and digests would match nothing: then rather the old ones. */
function replacedKey(held: MasterKeys, fresh: MasterKeys, path: string): string | undefined {
  for (const [version, key] of held) {
    const now = fresh.get(version)
    if (now !== undefined && Buffer.compare(now, key) !== 0) {
      return `the master key file ${path} has another key of version ${version} than before: add versions, never change one`
    }
  }
  return undefined
}

function newestOf(keys: MasterKeys): number {
  return Math.max(...keys.keys())
}
