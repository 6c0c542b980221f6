// Instants, their texts, and clocks. Only this file reads the machine's clock.

declare const instantBrand: unique symbol

/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number & { readonly [instantBrand]: 'Instant' }

/** The gateway's time. In the sandbox it can be ahead of the machine's. */
export interface Clock {
  now(): Instant
  /** Total milliseconds added by hand, in the sandbox only. */
  movedBy?(): number
}

export const systemClock: Clock = { now: () => Date.now() as Instant }

export const millisecond = 1
export const second = 1000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour

export type Stopwatch = () => number

/** The longer time by two clocks: the gateway's, which jumps in the sandbox, and the monotonic one. */
export function startWatch(clock: Clock, since: Instant): Stopwatch {
  const begun = performance.now()
  return () => Math.max(clock.now() - since, performance.now() - begun)
}

export function instant(epochMilliseconds: number): Instant {
  return epochMilliseconds as Instant
}

export function after(start: Instant, milliseconds: number): Instant {
  return (start + milliseconds) as Instant
}

export function backoffMs(firstMs: number, triesBefore: number, maxMs: number): number {
  return Math.min(maxMs, firstMs * 2 ** triesBefore)
}

const calendarEnd = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** Years have four digits: merchants write 9999 for "never", and later times become the end of that year. */
export function toTimestamp(moment: Instant): string {
  if (moment !== lastWritten.moment) {
    lastWritten = { moment, text: new Date(Math.min(moment, calendarEnd)).toISOString() }
  }
  return lastWritten.text
}

/** Calls within one millisecond share one text. */
let lastWritten = { moment: 0 as Instant, text: new Date(0).toISOString() }

let lastSecond = Number.NaN
let lastText = ''

export function dateOnWire(moment: Instant): string {
  const wholeSecond = Math.floor(moment / 1000)
  // Answers of one burst share a second.
  if (wholeSecond !== lastSecond) {
    lastText = `${new Date(wholeSecond * 1000).toISOString().slice(0, 19)}+0000`
    lastSecond = wholeSecond
  }
  return lastText
}
