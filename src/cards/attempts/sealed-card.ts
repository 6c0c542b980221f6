// The card of an attempt between the form and the acquirer: sealed, and without its security code.
import { type Keyring, open } from '../../kernel/sealing.ts'
import type { CardAttempt, CardDetails } from '../model.ts'

/** Binds a sealed card to its attempt: it opens nowhere else. */
export function associatedDataOf(attemptKey: string): string {
  return `card attempt ${attemptKey}`
}

/** The card of an attempt that still has it. */
export function openCard(keyring: Keyring, { key, sealedCard }: CardAttempt): Omit<CardDetails, 'vcode'> {
  if (sealedCard === undefined) throw new Error(`attempt ${key} has no card any more`)
  return JSON.parse(open(keyring, sealedCard, associatedDataOf(key)).toString()) as Omit<CardDetails, 'vcode'>
}
