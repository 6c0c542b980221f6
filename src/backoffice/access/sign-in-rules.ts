// The rules of sign-in: which people must use two-factor, and when an unused session ends. Pure.
import { type Instant, minute } from '../../kernel/time.ts'
import type { Role } from './role-rules.ts'

/** Each asks it of those before it too. */
export const twoFactorRules = ['off', 'operators', 'owners', 'everyone'] as const
export type TwoFactorRule = (typeof twoFactorRules)[number]

export interface SignInRules {
  readonly twoFactor: TwoFactorRule
  readonly idleMinutes: number
  readonly operatorIdleMinutes: number
}

/**
 * Whether somebody must use two-factor for what they ask for.
 *
 * @param role theirs in the team; undefined: they ask as an operator
 * @param teamAsks whether the owners of the team ask it of everybody
 */
export function needsTwoFactor(rule: TwoFactorRule, role: Role | undefined, teamAsks: boolean): boolean {
  if (role === undefined) return rule !== 'off'
  return teamAsks || rule === 'everyone' || (rule === 'owners' && role === 'owner')
}

export function isIdle(rules: SignInRules, isOperator: boolean, seenAt: Instant, now: Instant): boolean {
  const minutes = isOperator ? rules.operatorIdleMinutes : rules.idleMinutes
  return now - seenAt > minutes * minute
}
