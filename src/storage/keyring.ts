// The file of master keys: read with care for its permissions, and made once for a sandbox.
import { link, mkdir, open, readFile, stat, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Randomness } from '../kernel/random.ts'
import type { Result } from '../kernel/result.ts'
import { firstKeyVersion, type Keyring, masterKeyBytes } from '../kernel/sealing.ts'

const ownerOnlyMode = 0o600
const othersMask = 0o077
const keyVersionMax = 0xffff_ffff

export interface KeyringOptions {
  /** Make the file when it is missing: for the sandbox only, where losing it loses nothing of value. */
  readonly generate: boolean
  readonly random: Randomness
}

/**
 * Reads the keyring from `path`: one line per key, `<version> <32 bytes in base64>`, the highest
 * version current; blank lines and lines that begin with # are ignored.
 *
 * @returns the keyring, or one sentence that says what is wrong with the file
 */
export async function loadKeyring(path: string, options: KeyringOptions): Promise<Result<Keyring, string>> {
  try {
    if (options.generate) await generateOnce(path, options.random)
    const { mode } = await stat(path)
    if ((mode & othersMask) !== 0) {
      return problem(path, `can be read or written by others than its owner: run chmod 600 ${path}`)
    }
    return parseKeyring(await readFile(path, 'utf8'), path)
  } catch (error) {
    return problem(path, `cannot be read: ${(error as Error).message}`)
  }
}

function parseKeyring(text: string, path: string): Result<Keyring, string> {
  const keys = new Map<number, Uint8Array>()
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue
    const [versionText = '', keyText = '', ...rest] = line.trim().split(/\s+/)
    const version = Number(versionText)
    const key = Buffer.from(keyText, 'base64')
    const where = `line ${index + 1}`
    if (rest.length > 0 || !/^[1-9]\d*$/.test(versionText) || version > keyVersionMax) {
      return problem(path, `${where} must be a version (1, 2, …), a space, and a key in base64`)
    }
    if (key.length !== masterKeyBytes || key.toString('base64') !== keyText) {
      return problem(path, `${where} must hold a key of exactly ${masterKeyBytes} bytes in base64`)
    }
    if (keys.has(version)) return problem(path, `${where} repeats version ${version}`)
    keys.set(version, key)
  }
  if (!keys.has(firstKeyVersion)) {
    return problem(path, `must keep the key of version ${firstKeyVersion}: API keys are checked with it`)
  }
  return { ok: true, value: { current: Math.max(...keys.keys()), keys } }
}

/** Writes a new keyring unless there is one. Linking a finished file lets one of several processes win. */
async function generateOnce(path: string, random: Randomness): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  if (await exists(path)) return
  const draft = `${path}.${Buffer.from(random.bytes(8)).toString('hex')}`
  const file = await open(draft, 'wx', ownerOnlyMode)
  try {
    await file.writeFile(
      `${firstKeyVersion} ${Buffer.from(random.bytes(masterKeyBytes)).toString('base64')}\n`,
    )
    await file.sync()
  } finally {
    await file.close()
  }
  try {
    await link(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await unlink(draft)
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

function problem(path: string, what: string): Result<Keyring, string> {
  return { ok: false, refusal: `the master key file ${path} ${what}` }
}
