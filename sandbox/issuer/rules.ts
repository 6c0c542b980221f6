// Rules for a cardholder's answer.
import type { Instant } from '../../src/kernel/time.ts'
import type { Challenge, ChallengeState } from './model.ts'

export type CardholderAnswer = { readonly otp: string } | { readonly cancel: true }

export interface Judgement {
  readonly state: ChallengeState
  readonly attemptsLeft: number
}

/** The next state of a challenge. Undefined if the challenge is over. After the time limit no answer counts. */
export function judge(
  challenge: Pick<Challenge, 'state' | 'attemptsLeft' | 'otp' | 'expiresAt'>,
  answer: CardholderAnswer | undefined,
  now: Instant,
): Judgement | undefined {
  const { state, attemptsLeft } = challenge
  if (state !== 'open') return undefined
  if (now >= challenge.expiresAt) return { state: 'expired', attemptsLeft }
  if (answer === undefined) return undefined
  if ('cancel' in answer) return { state: 'cancelled', attemptsLeft }
  if (answer.otp.replace(/\s/g, '') === challenge.otp) return { state: 'authenticated', attemptsLeft }
  const left = attemptsLeft - 1
  return { state: left === 0 ? 'failed' : 'open', attemptsLeft: left }
}
