// What a back-up says about itself: at its beginning what it needs, at its end what it holds, sealed by the master key.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { firstKeyVersion } from '../kernel/sealing.ts'

/** The form of the file; another number is another form. */
export const backupFormat = 1
/** The first entry: {@link BackupHeader}. */
export const headerName = 'comporta-backup.json'
/** The last entry: {@link Manifest}, and its seal. */
export const manifestName = 'manifest.json'
/** The folder of the database's files. */
export const databaseFolder = 'database'

/** What has to be known before anything is unpacked. */
export interface BackupHeader {
  readonly format: number
  /** The program that made it. */
  readonly version: string
  /** When it was begun, RFC 3339. */
  readonly begun: string
  /** The steps of the schema that its database has gone through. */
  readonly steps: readonly string[]
  /** Fingerprints of the master keys, by version: a key is told from another one by it, and nothing else. */
  readonly keys: Readonly<Record<string, string>>
  /** About how many bytes it takes unpacked. */
  readonly bytes: number
}

/** How much is in the database: what a copy of it must have again. Payments wait while it is counted, so it is little. */
export interface Counts {
  readonly wallets: number
  readonly operations: number
  /** The number of the last line of the ledger. */
  readonly lastPosting: number
}

export interface FileSum {
  readonly bytes: number
  /** Hexadecimal. */
  readonly sha256: string
}

export interface Manifest {
  /** Until when everything that was answered is in it, RFC 3339. */
  readonly ended: string
  readonly counts: Counts
  /** Of every entry before it, by name. */
  readonly files: Readonly<Record<string, FileSum>>
}

export type MasterKeys = ReadonlyMap<number, Uint8Array>

/** One fingerprint for each version. */
export function fingerprints(keys: MasterKeys): Record<string, string> {
  return Object.fromEntries(
    [...keys].map(([version, key]) => [version, mac(key, 'fingerprint').slice(0, 16)]),
  )
}

/** The versions of master keys that a back-up was made with and `keys` lacks, or has otherwise. */
export function missingKeys(header: BackupHeader, keys: MasterKeys): string[] {
  const present = fingerprints(keys)
  return Object.entries(header.keys).flatMap(([version, print]) =>
    present[version] === print ? [] : [version],
  )
}

/** The manifest as it is written. Its seal is by version 1, which no file of master keys may lack. */
export function sealManifest(manifest: Manifest, keys: MasterKeys): string {
  const text = JSON.stringify(manifest)
  return JSON.stringify({ manifest: text, seal: mac(firstKey(keys), text) })
}

/** The manifest, or undefined where it is not what an owner of `keys` has written. */
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
