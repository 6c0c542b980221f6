// Signatures of links, which only this gateway can make.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { deriveKey, type Keyring } from './sealing.ts'

export interface Signer {
  /** 43 characters that are safe in an address. */
  sign(text: string): string
  matches(text: string, signature: string): boolean
}

/** Signatures of one purpose never match those of another. */
export function createSigner(keyring: Keyring, purpose: string): Signer {
  const key = deriveKey(keyring, purpose)
  const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url')
  return {
    sign,
    matches(text, signature) {
      const expected = Buffer.from(sign(text))
      const given = Buffer.from(signature)
      return given.length === expected.length && timingSafeEqual(given, expected)
    },
  }
}
