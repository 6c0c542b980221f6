// Instants, and the clock that every rule receives as an argument. Only this file reads the machine's clock.

declare const instantBrand: unique symbol

/** A point in time in milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number & { readonly [instantBrand]: 'Instant' }

/** Tells the gateway's time. In the sandbox it may run ahead of the machine's. */
export interface Clock {
  now(): Instant
  /** By how many milliseconds it was moved ahead by hand, in all; absent where nobody can. */
  movedBy?(): number
}

/** The machine's own clock. */
export const systemClock: Clock = { now: () => Date.now() as Instant }

export const millisecond = 1
export const second = 1000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour

/** How many milliseconds have gone by since something began. */
export type Stopwatch = () => number

/**
 * Measures from `since` by two clocks and answers the longer time: the gateway's, which every process shares and
 * which jumps in the sandbox, and the process's own, which nobody can set.
 */
export function startWatch(clock: Clock, since: Instant): Stopwatch {
  const begun = performance.now()
  return () => Math.max(clock.now() - since, performance.now() - begun)
}

/** Brands milliseconds since the epoch. */
export function instant(epochMilliseconds: number): Instant {
  return epochMilliseconds as Instant
}

/** `start` moved by `milliseconds`, which may be negative. */
export function after(start: Instant, milliseconds: number): Instant {
  return (start + milliseconds) as Instant
}

/**
 * Exponential back-off: the pause before a try that follows `triesBefore` others is `firstMs`, doubled with each of them, up to `maxMs`.
 * All in milliseconds.
 */
export function backoffMs(firstMs: number, triesBefore: number, maxMs: number): number {
  return Math.min(maxMs, firstMs * 2 ** triesBefore)
}

/** The last moment of the year 9999. */
const calendarEnd = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/**
 * ISO 8601 in UTC with milliseconds, as PostgreSQL reads it. Years have four digits: what would follow on an end in the
 * year 9999, which merchants write for "never", is due at the end of that year.
 */
export function toTimestamp(moment: Instant): string {
  if (moment !== lastWritten.moment) {
    lastWritten = { moment, text: new Date(Math.min(moment, calendarEnd)).toISOString() }
  }
  return lastWritten.text
}

/** What happens together has one time, which is written once. */
let lastWritten = { moment: 0 as Instant, text: new Date(0).toISOString() }
