// Reading of requests that move the clock.
import { Temporal } from 'temporal-polyfill'
import { parseExactInstant } from '../../src/http/index.ts'
import { addLisbonMonths } from '../../src/kernel/lisbon.ts'
import { ok, type Result, refuse } from '../../src/kernel/result.ts'
import { after, day, type Instant } from '../../src/kernel/time.ts'

export type Move = (now: Instant) => Instant

const monthsPerYear = 12
/** With a mistyped year, timers would otherwise run for centuries. */
const jumpYearsMax = 10

/**
 * Reads exactly one of `advance` and `set`. `advance` is an ISO 8601 duration: months follow the Lisbon calendar, a
 * day has 24 hours. `set` is an ISO 8601 date and time. Refusals: missing_parameter; invalid_parameter for both
 * together, for a wrong text, and for a time in the past or more than ten years ahead.
 */
export function readMove(
  body: { readonly advance?: unknown; readonly set?: unknown },
  now: Instant,
): Result<Move> {
  const { advance, set } = body
  if (advance !== undefined && set !== undefined) {
    return refuse('invalid_parameter', 'set cannot be combined with advance: send one of them')
  }
  if (advance !== undefined) return within('advance', readAdvance(advance), now)
  if (set !== undefined) return within('set', readSet(set), now)
  return refuse(
    'missing_parameter',
    'advance (an ISO 8601 duration such as P1DT2H) or set (a date) is required',
  )
}

function within(field: string, move: Result<Move>, now: Instant): Result<Move> {
  if (!move.ok) return move
  const target = move.value(now)
  if (target < now) return refuse('invalid_parameter', `${field} must not move time back`)
  if (target > addLisbonMonths(now, jumpYearsMax * monthsPerYear)) {
    return refuse('invalid_parameter', `${field} must not move time by more than ${jumpYearsMax} years`)
  }
  return move
}

function readSet(set: unknown): Result<Move> {
  const moment = parseExactInstant(set, 'set')
  return moment.ok ? ok(() => moment.value) : moment
}

function readAdvance(advance: unknown): Result<Move> {
  const duration = typeof advance === 'string' ? parseDuration(advance.trim()) : undefined
  if (duration === undefined) {
    return refuse('invalid_parameter', 'advance must be an ISO 8601 duration such as P1DT2H or P1M')
  }
  const months = duration.years * monthsPerYear + duration.months
  const { weeks, days, hours, minutes, seconds, milliseconds } = duration
  const exact = Temporal.Duration.from({ hours, minutes, seconds, milliseconds }).total('milliseconds')
  const rest = (weeks * 7 + days) * day + exact
  return Math.abs(months) > jumpYearsMax * monthsPerYear
    ? refuse('invalid_parameter', `advance must not move time by more than ${jumpYearsMax} years`)
    : ok((now) => after(addLisbonMonths(now, months), rest))
}

function parseDuration(text: string): Temporal.Duration | undefined {
  try {
    return Temporal.Duration.from(text)
  } catch {
    return undefined
  }
}
