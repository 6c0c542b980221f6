// The file of master keys: permissions, reading, generation.
import { readFileSync, statSync } from 'node:fs'
import { link, mkdir, open, readFile, rename, unlink } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Randomness } from '../../kernel/random.ts'
import { ok, type Result } from '../../kernel/result.ts'
import { firstKeyVersion, masterKeyBytes } from '../../kernel/sealing.ts'

const ownerOnlyMode = 0o600
const groupAndOthersMask = 0o077
const othersMask = 0o007
const keyVersionMax = 0xffff_ffff

export type MasterKeys = ReadonlyMap<number, Uint8Array>

export function readKeyFile(path: string): Result<MasterKeys, string> {
  try {
    if ((statSync(path).mode & refusedMask(path)) !== 0) {
      return problem(path, `is readable or writable by other users: run chmod 600 ${path}`)
    }
    return parseKeys(readFileSync(path, 'utf8'), path)
  } catch (error) {
    return problem(path, `cannot be read: ${(error as Error).message}`)
  }
}

/** systemd gives a credential to the unit's user by an access list, which a program sees as mode 0440. */
function refusedMask(path: string): number {
  const credentials = process.env.CREDENTIALS_DIRECTORY
  const isCredential = credentials !== undefined && dirname(resolve(path)) === resolve(credentials)
  return isCredential ? othersMask : groupAndOthersMask
}

function parseKeys(text: string, path: string): Result<MasterKeys, string> {
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
  return ok(keys)
}

/** Writes a new file unless it exists. It links a finished draft, so exactly one process succeeds. */
export async function generateKeyFile(path: string, random: Randomness): Promise<Result<void, string>> {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) return ok(undefined)
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const draft = await writeDraft(path, keyLine(firstKeyVersion, random), random)
    try {
      await link(draft, path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    } finally {
      await unlink(draft)
    }
    return ok(undefined)
  } catch (error) {
    return problem(path, `cannot be created: ${(error as Error).message}`)
  }
}

/** Adds a random key. The key is on disk before any secret is sealed with it. Call it under a lock. */
export async function appendKey(path: string, random: Randomness): Promise<void> {
  const keys = readKeyFile(path)
  if (!keys.ok) throw new Error(keys.refusal)
  const text = await readFile(path, 'utf8')
  const version = Math.max(...keys.value.keys()) + 1
  const draft = await writeDraft(path, `${text.trimEnd()}\n${keyLine(version, random)}`, random)
  await rename(draft, path)
  const folder = await open(dirname(path))
  await folder.sync().finally(() => folder.close())
}

async function writeDraft(path: string, text: string, random: Randomness): Promise<string> {
  const draft = `${path}.${Buffer.from(random.bytes(8)).toString('hex')}`
  const file = await open(draft, 'wx', ownerOnlyMode)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  return draft
}

function keyLine(version: number, random: Randomness): string {
  return `${version} ${Buffer.from(random.bytes(masterKeyBytes)).toString('base64')}\n`
}

function problem(path: string, what: string): { ok: false; refusal: string } {
  return { ok: false, refusal: `the master key file ${path} ${what}` }
}
