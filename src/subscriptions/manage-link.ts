// The customer's link to a subscription: signed, so that it shows and cancels this one and no other.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { deriveKey, type Keyring } from '../kernel/sealing.ts'

export interface ManageLinks {
  /** Path of the page on which the customer sees and cancels the subscription. */
  pathOf(subscriptionId: string): string
  /** Whether `signature` is that of the subscription's link. */
  isSigned(subscriptionId: string, signature: string): boolean
  /** What only the browser is given that started the attempt at accepting on a checkout. */
  proofOf(checkoutId: string, attemptId: string): string
  isProof(checkoutId: string, attemptId: string, proof: string): boolean
}

/** Nothing of a link or proof is stored: a copy of the database cancels nothing. */
export function createManageLinks(keyring: Keyring): ManageLinks {
  const signatures = signer(deriveKey(keyring, 'subscription links'))
  const proofs = signer(deriveKey(keyring, 'subscription acceptances'))
  const accepted = (checkoutId: string, attemptId: string) => `${checkoutId} ${attemptId}`.toLowerCase()
  return {
    pathOf: (id) => `/subscription/${id}/${signatures.sign(id.toLowerCase())}`,
    isSigned: (id, signature) => signatures.matches(id.toLowerCase(), signature),
    proofOf: (checkoutId, attemptId) => proofs.sign(accepted(checkoutId, attemptId)),
    isProof: (checkoutId, attemptId, proof) => proofs.matches(accepted(checkoutId, attemptId), proof),
  }
}

function signer(key: Uint8Array) {
  const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url')
  return {
    sign,
    matches(text: string, signature: string): boolean {
      const expected = Buffer.from(sign(text))
      const given = Buffer.from(signature)
      return given.length === expected.length && timingSafeEqual(given, expected)
    },
  }
}
