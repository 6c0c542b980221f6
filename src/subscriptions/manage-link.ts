// The customer's signed link to a subscription.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { deriveKey, type Keyring } from '../kernel/sealing.ts'

export interface ManageLinks {
  /** The path of the page on which the customer sees and cancels the subscription. */
  pathOf(subscriptionId: string): string
  isSigned(subscriptionId: string, signature: string): boolean
  /** A proof for the browser that started the attempt. No other browser gets it. */
  proofOf(checkoutId: string, attemptId: string): string
  isProof(checkoutId: string, attemptId: string, proof: string): boolean
}

/** Links are signed and not stored, so a stolen copy of the database cannot cancel anything. */
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
