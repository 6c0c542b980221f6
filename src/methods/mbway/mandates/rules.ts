// Pure decisions about mandates: what a change in the customer's app does, and when the network is asked again.
import { endOfLisbonDay } from '../../../kernel/lisbon.ts'
import { after, backoffMs, day, type Instant, minute, second } from '../../../kernel/time.ts'
import type { WalletMandateChange } from '../../../rails/index.ts'
import type { Mandate, MandateEventWord, MandateState } from './model.ts'

/** How long a customer may take to say yes or no (CONTRACT section 12). */
export const approvalWindowMinutes = 4

/** Until when a customer who is asked `now` may answer: no later than `latest`, after which approving has no effect. */
export function answerUntil(now: Instant, latest: Instant | undefined): Instant {
  const end = after(now, approvalWindowMinutes * minute)
  return latest === undefined || end < latest ? end : latest
}

interface ChangeRule {
  readonly from: readonly MandateState[]
  /** Absent: the state stays. */
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

/** A mandate with one more change applied, and the event of that change. */
export interface ChangedMandate {
  readonly mandate: Mandate
  /** Absent where the change came too late to have an effect, as after the merchant's deletion. */
  readonly event?: MandateEventWord
}

/** Applies `change` to a mandate: state, terms and version. */
export function afterChange(mandate: Mandate, change: WalletMandateChange): ChangedMandate {
  const { from, to, event } = changeRules[change.kind]
  const counted = { ...mandate, version: change.version }
  if (!from.includes(mandate.state)) return { mandate: counted }
  const terms = 'limit' in change ? { limit: change.limit, expiryDate: change.expiryDate } : {}
  return { mandate: { ...counted, ...terms, state: to ?? mandate.state }, event }
}

/** Whether its state is final. */
export function isOver({ state }: Mandate): boolean {
  return state === 'VOIDED' || state === 'EXPIRED'
}

const firstLookSeconds = 10
const lookAgainSeconds = 5
const lookAgainMinutesMax = 5
/** A change whose notice was lost is found a day later. */
const lookDailyMs = day

/**
 * When the network is asked about a mandate without notices: with a back-off while the
 * customer decides, then at its end and once a day before it. Undefined when it is over.
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

/** When its time is over: the answer's, or its last day's. */
export function endOf({ state, askedUntil, expiryDate }: Mandate): Instant {
  if (state === 'REQUESTED' || expiryDate === undefined) return askedUntil
  return after(endOfLisbonDay(expiryDate), second)
}
