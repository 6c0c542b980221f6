// Instants, their texts, and clocks. No other file reads the machine's clock.

declare const instantBrand: unique symbol

/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number & { readonly [instantBrand]: 'Instant' }

/** The gateway's time. In the sandbox it can be ahead of real time. */
export interface Clock {
  now(): Instant
  /** The milliseconds by which the sandbox's clock was moved. */
  movedBy?(): number
}

export const systemClock: Clock = { now: () => Date.now() as Instant }

export const millisecond = 1
export const second = 1000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour

export type Stopwatch = () => number

/** Measures with two clocks and takes the longer time: the gateway's clock jumps in the sandbox. */
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

/** Years have four digits. Merchants write 9999 for "never", so later times become the end of that year. */
export function toTimestamp(moment: Instant): string {
  if (moment !== lastWritten.moment) {
    lastWritten = { moment, text: new Date(Math.min(moment, calendarEnd)).toISOString() }
  }
  return lastWritten.text
}

/** All calls within one millisecond use this text. */
let lastWritten = { moment: 0 as Instant, text: new Date(0).toISOString() }

let lastSecond = Number.NaN
let lastText = ''

export function dateOnWire(moment: Instant): string {
  const wholeSecond = Math.floor(moment / 1000)
  // Answers of the same second use this text.
  if (wholeSecond !== lastSecond) {
    lastText = `${new Date(wholeSecond * 1000).toISOString().slice(0, 19)}+0000`
    lastSecond = wholeSecond
  }
  return lastText
}
