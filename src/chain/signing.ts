// Signing keys: Ed25519, derived from the first master key and never stored.
import { createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto'
import { promisify } from 'node:util'
import { deriveKey, type Keyring } from '../kernel/sealing.ts'

const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

// Signing runs outside the main thread, because a batch may have thousands of links.
const signAside = promisify<null, Buffer, KeyObject, Buffer>(sign)
const verifyAside = promisify<null, Buffer, KeyObject, Buffer, boolean>(verify)

export interface Signing {
  sign(number: number, text: string): Promise<string>
  isSignedBy(number: number, text: string, signature: string): Promise<boolean>
  publicKey(number: number): string
}

export function hashOf(text: string): string {
  return hash('sha256', text, 'hex')
}

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
