// Rules of mandates: effects of changes, and times of inquiries.
import { endOfLisbonDay } from '../../../kernel/lisbon.ts'
import { after, backoffMs, day, type Instant, minute, second } from '../../../kernel/time.ts'
import type { WalletMandateChange } from '../../../rails/index.ts'
import type { Mandate, MandateEventWord, MandateState } from './model.ts'

export const approvalWindowMinutes = 4

export function answerUntil(now: Instant, latest: Instant | undefined): Instant {
  const end = after(now, approvalWindowMinutes * minute)
  return latest === undefined || end < latest ? end : latest
}

interface ChangeRule {
  readonly from: readonly MandateState[]
  readonly to?: MandateState
  readonly event: MandateEventWord
}

const changeRules: Record<WalletMandateChange['kind'], ChangeRule> = {
  approved: { from: ['REQUESTED'], to: 'ACTIVE', event: 'APPROVED' },
  refused: { from: ['REQUESTED'], to: 'EXPIRED', event: 'EXPIRED' },
  expired: { from: ['REQUESTED', 'ACTIVE', 'SUSPENDED'], to: 'EXPIRED', event: 'EXPIRED' },
  updated: { from: ['ACTIVE', 'SUSPENDED'], event: 'UPDATED' },
  suspended: { from: ['ACTIVE'], to: 'SUSPENDED', event: 'SUSPENDED' },
  resumed: { from: ['SUSPENDED'], to: 'ACTIVE', event: 'UPDATED' },
  cancelled: { from: ['ACTIVE', 'SUSPENDED'], to: 'VOIDED', event: 'VOIDED' },
}

export interface ChangedMandate {
  readonly mandate: Mandate
  /** Absent if the change came too late, for example after the merchant had deleted the mandate. */
  readonly event?: MandateEventWord
}

export function afterChange(mandate: Mandate, change: WalletMandateChange): ChangedMandate {
  const { from, to, event } = changeRules[change.kind]
  const counted = { ...mandate, version: change.version }
  if (!from.includes(mandate.state)) return { mandate: counted }
  const terms = 'limit' in change ? { limit: change.limit, expiryDate: change.expiryDate } : {}
  return { mandate: { ...counted, ...terms, state: to ?? mandate.state }, event }
}

export function isOver({ state }: Mandate): boolean {
  return state === 'VOIDED' || state === 'EXPIRED'
}

const firstLookSeconds = 10
const lookAgainSeconds = 5
const lookAgainMinutesMax = 5
const lookDailyMs = day

/**
 * The next inquiry: daily, but more often before the customer decides and after the end. Undefined: never.
 */
export function nextInquiry(mandate: Mandate, now: Instant): Instant | undefined {
  if (isOver(mandate)) return undefined
  const end = endOf(mandate)
  const step =
    mandate.state === 'REQUESTED'
      ? backoffMs(firstLookSeconds * second, mandate.inquiries, approvalWindowMinutes * minute)
      : lookDailyMs
  if (now < end) return Math.min(end, after(now, step)) as Instant
  const pause = backoffMs(lookAgainSeconds * second, mandate.inquiries, lookAgainMinutesMax * minute)
  return after(now, pause)
}

export function endOf({ state, askedUntil, expiryDate }: Mandate): Instant {
  if (state === 'REQUESTED' || expiryDate === undefined) return askedUntil
  return after(endOfLisbonDay(expiryDate), second)
}
