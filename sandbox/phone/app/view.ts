// What a page of the phone's app shows.
import type { Instant } from '../../../src/kernel/time.ts'
import type { Language } from '../../issuer/messages.ts'
import type { PhoneMandate, PhoneRequest } from '../model.ts'

export type PhoneProblem = 'pin' | 'terms' | 'late'

export interface PhoneView {
  readonly phone: string
  readonly lang: Language
  readonly now: Instant
  readonly requests: readonly PhoneRequest[]
  readonly mandates: readonly PhoneMandate[]
  /** How many PINs may be typed; none while the phone is locked. */
  readonly pinTriesLeft: number
  /** What went wrong, and with which request or mandate. */
  readonly problem?: { readonly kind: PhoneProblem; readonly key: string } | undefined
}
