// The rules of sign-in: two-factor and idle sessions.
import { type Instant, minute } from '../../kernel/time.ts'
import type { Role } from './role-rules.ts'

/** Each rule includes the rules before it. */
export const twoFactorRules = ['off', 'operators', 'owners', 'everyone'] as const
export type TwoFactorRule = (typeof twoFactorRules)[number]

export interface SignInRules {
  readonly twoFactor: TwoFactorRule
  readonly idleMinutes: number
  readonly operatorIdleMinutes: number
}

/** `role`: undefined for an operator. `teamAsks`: the owners of the team require two-factor. */
export function needsTwoFactor(rule: TwoFactorRule, role: Role | undefined, teamAsks: boolean): boolean {
  if (role === undefined) return rule !== 'off'
  return teamAsks || rule === 'everyone' || (rule === 'owners' && role === 'owner')
}

export function isIdle(rules: SignInRules, isOperator: boolean, seenAt: Instant, now: Instant): boolean {
  const minutes = isOperator ? rules.operatorIdleMinutes : rules.idleMinutes
  return now - seenAt > minutes * minute
}
