// Data of the phone's page.
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
  /** 0 if the phone is locked. */
  readonly pinTriesLeft: number
  readonly problem?: { readonly kind: PhoneProblem; readonly key: string } | undefined
}
