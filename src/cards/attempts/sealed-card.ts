// The card of an attempt between the form and the acquirer: sealed, and without its security code.
import { type Keyring, open } from '../../kernel/sealing.ts'
import type { CardAttempt, CardDetails } from '../model.ts'

/** Binds a sealed card to its attempt: it opens nowhere else. */
export function associatedDataOf(attemptId: string): string {
  return `card attempt ${attemptId}`
}

/** The card of an attempt that still has it. */
export function openCard(keyring: Keyring, attempt: CardAttempt): Omit<CardDetails, 'vcode'> {
  if (attempt.sealedCard === undefined) throw new Error(`attempt ${attempt.id} has no card any more`)
  const text = open(keyring, attempt.sealedCard, associatedDataOf(attempt.id)).toString()
  return JSON.parse(text) as Omit<CardDetails, 'vcode'>
}
