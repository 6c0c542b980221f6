// The customer's signed link to a subscription.
import type { Keyring } from '../kernel/sealing.ts'
import { createSigner } from '../kernel/signatures.ts'

export interface ManageLinks {
  /** The path of the page on which the customer sees and cancels the subscription. */
  pathOf(subscriptionId: string): string
  isSigned(subscriptionId: string, signature: string): boolean
  /** The page on which the customer tries an open charge again. It cannot cancel, and ends with the charge's cycle. */
  openChargePathOf(subscriptionId: string, chargeId: string): string
  isOpenChargeSigned(subscriptionId: string, chargeId: string, signature: string): boolean
  /** A proof for the browser that started the attempt. No other browser gets it. */
  proofOf(checkoutId: string, attemptId: string): string
  isProof(checkoutId: string, attemptId: string, proof: string): boolean
}

/** Links are signed and not stored, so a stolen copy of the database cannot cancel anything. */
export function createManageLinks(keyring: Keyring): ManageLinks {
  const signatures = createSigner(keyring, 'subscription links')
  const openCharges = createSigner(keyring, 'open charges of subscriptions')
  const proofs = createSigner(keyring, 'subscription acceptances')
  const pair = (first: string, second: string) => `${first} ${second}`.toLowerCase()
  return {
    pathOf: (id) => `/subscription/${id}/${signatures.sign(id.toLowerCase())}`,
    isSigned: (id, signature) => signatures.matches(id.toLowerCase(), signature),
    openChargePathOf: (id, chargeId) =>
      `/subscription/${id}/charge/${chargeId}/${openCharges.sign(pair(id, chargeId))}`,
    isOpenChargeSigned: (id, chargeId, signature) => openCharges.matches(pair(id, chargeId), signature),
    proofOf: (checkoutId, attemptId) => proofs.sign(pair(checkoutId, attemptId)),
    isProof: (checkoutId, attemptId, proof) => proofs.matches(pair(checkoutId, attemptId), proof),
  }
}
