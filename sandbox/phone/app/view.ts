// What a page of the phone's app shows, and the PIN that it asks for.
import type { Instant } from '../../../src/kernel/time.ts'
import type { Language } from '../../issuer/words.ts'
import type { PhoneMandate, PhoneRequest } from '../model.ts'

/** What everybody's phone asks for: a real one would know its owner. */
export const sandboxPin = '1234'

export type PhoneProblem = 'pin' | 'terms' | 'late'

export interface PhoneView {
  readonly phone: string
  readonly lang: Language
  readonly now: Instant
  readonly requests: readonly PhoneRequest[]
  readonly mandates: readonly PhoneMandate[]
  /** What went wrong, and with which request or mandate. */
  readonly problem?: { readonly kind: PhoneProblem; readonly key: string } | undefined
}
