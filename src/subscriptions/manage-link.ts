// The customer's link to a subscription: signed, so that whoever has it may see and cancel this one, and no other.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { deriveKey, type Keyring } from '../kernel/sealing.ts'

export interface ManageLinks {
  /** Path of the page on which the customer sees and cancels the subscription. */
  pathOf(subscriptionId: string): string
  /** Whether `signature` is that of the subscription's link. */
  isSigned(subscriptionId: string, signature: string): boolean
}

/** Nothing of a link is stored: a copy of the database cancels nothing (decision 0028). */
export function createManageLinks(keyring: Keyring): ManageLinks {
  const key = deriveKey(keyring, 'subscription links')
  const signatureOf = (id: string) => createHmac('sha256', key).update(id.toLowerCase()).digest('base64url')
  return {
    pathOf: (id) => `/subscription/${id}/${signatureOf(id)}`,
    isSigned(id, signature) {
      const expected = Buffer.from(signatureOf(id))
      const given = Buffer.from(signature)
      return given.length === expected.length && timingSafeEqual(given, expected)
    },
  }
}
