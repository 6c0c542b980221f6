// Pure decisions about automatic charges: when, which number, whether again.
import { addDays, type Day, lisbonDayOf, momentInLisbon } from '../../kernel/lisbon.ts'
import type { Cents } from '../../kernel/money.ts'
import type { Instant } from '../../kernel/time.ts'
import { cycleOf, firstDayOf } from '../charging/rules.ts'
import type { Terms } from '../model.ts'
import type { AutoCharge, Outcome } from './model.ts'

/** Banks answer, shops are open, and customers read their mail. */
const chargedAtHour = 8

/** After 1, 3, 5 and 7 days: two pay days and a weekend are among them. */
export const retriesDefault: readonly number[] = [1, 3, 5, 7]

/** Reasons that can pass without the customer. Card schemes fine repeated attempts after any other refusal. */
const softReasons: ReadonlySet<string> = new Set([
  'insufficient_funds',
  'do_not_honour',
  'limit_exceeded',
  'limit_reached',
  'suspended',
  'mandate_limit',
  'mandate_suspended',
  'method_not_served',
  'rail_unavailable',
  'wallet_unavailable',
  'expired',
  'failed',
])

export function isSoft(reason: string | undefined): boolean {
  return reason !== undefined && softReasons.has(reason)
}

type Anchored = Pick<Terms, 'frequency' | 'period' | 'startDate' | 'endDate'>

/** One attempt to charge a cycle. */
export interface Attempt {
  readonly cycle: number
  readonly number: number
  readonly attempt: number
  readonly amount: Cents
  readonly firstOn: Day
  readonly day: Day
  readonly retryOn: Day | undefined
  readonly nextOn: Day | undefined
}

export type Step =
  | { readonly kind: 'charge'; readonly attempt: Attempt }
  /** Undefined `dueAt`: the answer to the latest charge comes first. */
  | { readonly kind: 'wait'; readonly outcome: Outcome | undefined; readonly dueAt: Instant | undefined }
  | { readonly kind: 'end'; readonly outcome: Outcome | undefined }

export function chargeMomentOn(day: Day): Instant {
  return momentInLisbon(day, chargedAtHour)
}

/**
 * The next step of an active schedule. A cycle that ended without a charge is not charged later: its allowance ended
 * with it. Attempts stay within their cycle.
 */
export function nextStep(auto: AutoCharge, terms: Anchored, now: Instant): Step {
  const today = lisbonDayOf(now)
  const current = today < terms.startDate ? undefined : cycleOf(terms, today)
  const isOpen = current !== undefined && auto.cycle === current.index
  const retryOn = isSoft(auto.error) ? auto.retryOn : undefined
  if (auto.outcome === 'REFUSED' && isOpen && retryOn !== undefined) {
    return { kind: 'wait', outcome: 'RETRYING', dueAt: chargeMomentOn(retryOn) }
  }
  if (auto.outcome === 'RETRYING' && isOpen) {
    const dueAt = auto.retryOn === undefined ? now : chargeMomentOn(auto.retryOn)
    if (now < dueAt) return { kind: 'wait', outcome: 'RETRYING', dueAt }
    const { number, firstOn = today, chargedAmount: amount = auto.amount } = auto
    const open = { cycle: current.index, number, amount, firstOn, today }
    return { kind: 'charge', attempt: attemptOf(auto, terms, open) }
  }
  const outcome = closedOutcome(auto)
  const index = Math.max(auto.nextCycle, current?.index ?? 0)
  const first = dayOfCycle(auto, terms, index, auto.number)
  if (first === undefined) {
    return outcome === 'CHARGING' ? { kind: 'wait', outcome, dueAt: undefined } : { kind: 'end', outcome }
  }
  const dueAt = chargeMomentOn(first)
  if (now < dueAt) return { kind: 'wait', outcome, dueAt }
  const fresh = { cycle: index, number: auto.number + 1, amount: auto.amount, firstOn: today, today }
  return { kind: 'charge', attempt: attemptOf(auto, terms, fresh) }
}

/** Of the latest cycle, if no attempt follows in it. */
export function closedOutcome({ outcome }: AutoCharge): Outcome | undefined {
  return outcome === 'REFUSED' || outcome === 'RETRYING' ? 'FAILED' : outcome
}

function attemptOf(
  auto: AutoCharge,
  terms: Anchored,
  asked: Pick<Attempt, 'cycle' | 'number' | 'amount' | 'firstOn'> & { readonly today: Day },
): Attempt {
  const { today, ...attempted } = asked
  const { cycle, number, firstOn } = attempted
  const attempt = auto.cycle === cycle ? auto.attempt + 1 : 1
  const nextDay = firstDayOf(terms, cycle + 1)
  const retryOn = auto.retries
    .map((days) => addDays(firstOn, days))
    .find((day) => day > today && day < nextDay && (terms.endDate === undefined || day <= terms.endDate))
  const nextOn = dayOfCycle(auto, terms, cycle + 1, number)
  return { ...attempted, attempt, day: today, retryOn, nextOn }
}

/** Undefined after the last charge. */
function dayOfCycle(
  { maxCharges }: Pick<AutoCharge, 'maxCharges'>,
  terms: Anchored,
  index: number,
  made: number,
): Day | undefined {
  if (maxCharges !== undefined && made >= maxCharges) return undefined
  const first = firstDayOf(terms, index)
  return terms.endDate === undefined || first <= terms.endDate ? first : undefined
}

/** The first cycle to charge after a pause: not one that began while charges were paused. */
export function nextCycleAfterPause(
  auto: Pick<AutoCharge, 'nextCycle'>,
  terms: Anchored,
  now: Instant,
): number {
  const today = lisbonDayOf(now)
  if (today < terms.startDate) return auto.nextCycle
  const { index, firstDay } = cycleOf(terms, today)
  const begun = now >= chargeMomentOn(firstDay) ? index + 1 : index
  return Math.max(auto.nextCycle, begun)
}

/** The first cycle of new or restarted charges: the merchant may have charged the current one by hand. */
export function nextCycleAfterStart(
  auto: Pick<AutoCharge, 'nextCycle'>,
  terms: Anchored,
  now: Instant,
): number {
  const today = lisbonDayOf(now)
  const next = today < terms.startDate ? 0 : cycleOf(terms, today).index + 1
  return Math.max(auto.nextCycle, next)
}

/** The Lisbon day of the next attempt or cycle, for people. */
export function nextDayOf(auto: AutoCharge, terms: Anchored): Day | undefined {
  if (auto.status === 'ENDED') return undefined
  if (auto.outcome === 'RETRYING' && auto.retryOn !== undefined) return auto.retryOn
  return dayOfCycle(auto, terms, auto.nextCycle, auto.number)
}

/** References of numbered charges differ: `CLUB` becomes `CLUB-1`, `CLUB-2`. */
export function numberedReference(reference: string | undefined, number: number): string | undefined {
  return reference === undefined ? undefined : `${reference}-${number}`
}
