// The keys by which heads are signed: Ed25519, derived from the first master key, so that no database holds any.
import { createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto'
import { promisify } from 'node:util'
import { deriveKey, type Keyring } from '../kernel/sealing.ts'

/** What stands before the 32 bytes of a private key in its PKCS #8 form (RFC 8410). */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

// Beside the main thread: a batch may have thousands of links.
const signAside = promisify<null, Buffer, KeyObject, Buffer>(sign)
const verifyAside = promisify<null, Buffer, KeyObject, Buffer, boolean>(verify)

export interface Signing {
  /** The signature of `text` by key `number`, in base64. */
  sign(number: number, text: string): Promise<string>
  isSignedBy(number: number, text: string, signature: string): Promise<boolean>
  /** In PEM, as openssl reads it. */
  publicKey(number: number): string
}

/** SHA-256 of a text, in hexadecimal digits. */
export function hashOf(text: string): string {
  return hash('sha256', text, 'hex')
}

/** Signs with keys 1, 2, … of the gateway that `keyring` is of. */
export function createSigning(keyring: Keyring): Signing {
  const pairs = new Map<number, { privateKey: KeyObject; publicKey: KeyObject }>()
  function pairOf(number: number) {
    const known = pairs.get(number)
    if (known !== undefined) return known
    const seed = deriveKey(keyring, `chain signing key ${number}`)
    const der = Buffer.concat([pkcs8Prefix, seed])
    const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
    const pair = { privateKey, publicKey: createPublicKey(privateKey) }
    pairs.set(number, pair)
    return pair
  }
  return {
    sign: async (number, text) =>
      (await signAside(null, Buffer.from(text), pairOf(number).privateKey)).toString('base64'),
    isSignedBy: (number, text, signature) =>
      verifyAside(null, Buffer.from(text), pairOf(number).publicKey, Buffer.from(signature, 'base64')),
    publicKey: (number) => String(pairOf(number).publicKey.export({ type: 'spki', format: 'pem' })),
  }
}
