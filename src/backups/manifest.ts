// The header and the sealed manifest of a backup.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { firstKeyVersion } from '../kernel/sealing.ts'

export const backupFormat = 1
export const headerName = 'comporta-backup.json'
export const manifestName = 'manifest.json'
export const databaseFolder = 'database'

export interface BackupHeader {
  readonly format: number
  readonly version: string
  readonly begun: string
  readonly steps: readonly string[]
  /** The fingerprint of each master key by version, by which a wrong key is recognized. */
  readonly keys: Readonly<Record<string, string>>
  readonly bytes: number
}

/** Numbers of rows that a restored copy must have. There are few, because payments wait for this query. */
export interface Counts {
  readonly wallets: number
  readonly operations: number
  readonly lastPosting: number
}

export interface FileSum {
  readonly bytes: number
  readonly sha256: string
}

export interface Manifest {
  /** Everything answered until this moment (RFC 3339) is in the backup. */
  readonly ended: string
  readonly counts: Counts
  readonly files: Readonly<Record<string, FileSum>>
}

export type MasterKeys = ReadonlyMap<number, Uint8Array>

export function fingerprints(keys: MasterKeys): Record<string, string> {
  return Object.fromEntries(
    [...keys].map(([version, key]) => [version, mac(key, 'fingerprint').slice(0, 16)]),
  )
}

/** Versions of the header's master keys that `keys` does not have, or has with another value. */
export function missingKeys(header: BackupHeader, keys: MasterKeys): string[] {
  const present = fingerprints(keys)
  return Object.entries(header.keys).flatMap(([version, print]) =>
    present[version] === print ? [] : [version],
  )
}

/** The manifest as the archive has it. It is sealed with key version 1, because every key file has that. */
export function sealManifest(manifest: Manifest, keys: MasterKeys): string {
  const text = JSON.stringify(manifest)
  return JSON.stringify({ manifest: text, seal: mac(firstKey(keys), text) })
}

/** The manifest, or undefined if its seal was not made with one of `keys`. */
export function openManifest(written: string, keys: MasterKeys): Manifest | undefined {
  try {
    const { manifest, seal } = JSON.parse(written) as { manifest: string; seal: string }
    const right = Buffer.from(mac(firstKey(keys), manifest))
    const given = Buffer.from(seal)
    if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined
    return JSON.parse(manifest) as Manifest
  } catch {
    return undefined
  }
}

function firstKey(keys: MasterKeys): Uint8Array {
  const key = keys.get(firstKeyVersion)
  if (key === undefined) throw new Error(`the master key of version ${firstKeyVersion} is missing`)
  return key
}

function mac(key: Uint8Array, text: string): string {
  return createHmac('sha256', key).update('comporta back-up\n').update(text).digest('hex')
}
