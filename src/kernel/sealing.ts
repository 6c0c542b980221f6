// Secrets at rest: AES-256-GCM under a versioned master key, bound to what it is and whose.
import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import type { Randomness } from './random.ts'

/** The master keys by version. New secrets are sealed under `current`; older versions only open. */
export interface Keyring {
  readonly current: number
  readonly keys: ReadonlyMap<number, Uint8Array>
  /**
   * Takes up keys added where the keyring was read from. Called whenever a secret names a version that is not
   * here, which anybody can send: it must cost nothing while nothing was added. Absent where keys are fixed.
   */
  refresh?(): unknown
}

/** The version from which keys that must never change are derived: it may never leave the file. */
export const firstKeyVersion = 1
export const masterKeyBytes = 32

const algorithm = 'aes-256-gcm'
const format = 1
/** Where a sealed secret has the version of its key, highest byte first, after one byte of format. */
export const sealedVersion = { offset: 1, bytes: 4 } as const
/** Read before opening, and authenticated with the rest. */
const headerBytes = sealedVersion.offset + sealedVersion.bytes
const nonceBytes = 12
const tagBytes = 16

/** A sealed secret that does not open: other bytes, other associated data, or a key that the keyring lacks. */
export class SealBroken extends Error {
  constructor(why: string) {
    super(`a sealed secret cannot be opened: ${why}`)
    this.name = 'SealBroken'
  }
}

/**
 * Encrypts `plaintext` under the current master key.
 *
 * @param associatedData what the secret is and whose (`wallet <public id> callback secret`): it opens nowhere else
 * @returns header, nonce, ciphertext and tag in one piece, 33 bytes longer than the plaintext
 */
export function seal(
  keyring: Keyring,
  plaintext: string | Uint8Array,
  associatedData: string,
  random: Randomness,
): Buffer {
  const header = Buffer.alloc(headerBytes)
  header.writeUInt8(format)
  header.writeUInt32BE(keyring.current, sealedVersion.offset)
  const nonce = random.bytes(nonceBytes)
  const cipher = createCipheriv(algorithm, cipherKey(keyring, keyring.current), nonce)
  cipher.setAAD(Buffer.concat([header, Buffer.from(associatedData)]))
  const ciphertext = Buffer.concat([cipher.update(Buffer.from(plaintext)), cipher.final()])
  return Buffer.concat([header, nonce, ciphertext, cipher.getAuthTag()])
}

/** The plaintext that {@link seal} was given with `associatedData`; throws {@link SealBroken} for anything else. */
export function open(keyring: Keyring, sealed: Uint8Array, associatedData: string): Buffer {
  return openUnder((version) => cipherKey(keyring, version), sealed, associatedData)
}

/** {@link open} with the one key that there is, in the form that ciphers want. */
export function openWith(key: KeyObject, sealed: Uint8Array, associatedData: string): Buffer {
  return openUnder(() => key, sealed, associatedData)
}

function openUnder(
  keyOfVersion: (version: number) => KeyObject,
  sealed: Uint8Array,
  associatedData: string,
): Buffer {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
  if (bytes.length < headerBytes + nonceBytes + tagBytes) throw new SealBroken('it is too short')
  if (bytes.readUInt8() !== format) throw new SealBroken('its format is unknown')
  const header = bytes.subarray(0, headerBytes)
  const nonce = bytes.subarray(headerBytes, headerBytes + nonceBytes)
  const decipher = createDecipheriv(algorithm, keyOfVersion(bytes.readUInt32BE(sealedVersion.offset)), nonce)
  decipher.setAAD(Buffer.concat([header, Buffer.from(associatedData)]))
  decipher.setAuthTag(bytes.subarray(-tagBytes))
  try {
    return Buffer.concat([
      decipher.update(bytes.subarray(headerBytes + nonceBytes, -tagBytes)),
      decipher.final(),
    ])
  } catch {
    throw new SealBroken('it was changed, or sealed with other associated data or under another key')
  }
}

/** The same secret sealed under the current master key, with the same associated data; throws {@link SealBroken}. */
export function reseal(
  keyring: Keyring,
  sealed: Uint8Array,
  associatedData: string,
  random: Randomness,
): Buffer {
  const plaintext = open(keyring, sealed, associatedData)
  try {
    return seal(keyring, plaintext, associatedData, random)
  } finally {
    plaintext.fill(0)
  }
}

/**
 * A 32-byte key for one purpose (HKDF-SHA-256). Derived from the first master key, so that adding a
 * version changes no digest already stored.
 */
export function deriveKey(keyring: Keyring, purpose: string): Buffer {
  const first = keyOf(keyring, firstKeyVersion)
  return Buffer.from(hkdfSync('sha256', first, '', `comporta ${purpose}`, masterKeyBytes))
}

const cipherKeys = new WeakMap<Uint8Array, KeyObject>()

/**
 * The key in the form ciphers want: with its bytes themselves, sealing took 25 µs of processor time instead of 5, and
 * making the form takes another 2. It goes when the keyring lets go of the bytes.
 */
function cipherKey(keyring: Keyring, version: number): KeyObject {
  const bytes = keyOf(keyring, version)
  const known = cipherKeys.get(bytes)
  if (known !== undefined) return known
  const key = createSecretKey(bytes)
  cipherKeys.set(bytes, key)
  return key
}

function keyOf(keyring: Keyring, version: number): Uint8Array {
  const known = keyring.keys.get(version)
  if (known !== undefined) return known
  keyring.refresh?.()
  const added = keyring.keys.get(version)
  if (added === undefined) throw new SealBroken(`the keyring has no version ${version}`)
  return added
}
