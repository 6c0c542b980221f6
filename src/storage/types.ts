// How PostgreSQL's types arrive in JavaScript, the same from both drivers.
import { type Instant, instant } from '../kernel/time.ts'

const int8Oid = 20
const dateOid = 1082
const timestamptzOid = 1184

/**
 * Whole numbers of 8 bytes as bigint, instants as epoch milliseconds, calendar days as text.
 * Everything else keeps the drivers' own reading, on which both agree.
 */
export const typeParsers: Readonly<Record<number, (text: string) => unknown>> = {
  [int8Oid]: (text) => BigInt(text),
  [dateOid]: (text) => text,
  [timestamptzOid]: parseTimestamp,
}

/**
 * Sessions run in UTC, so the text is `2026-03-29 22:59:59.123+00`, its fraction of any length or absent. Read digit
 * by digit this takes a third of what Date.parse takes, which reads years of other lengths.
 */
export function parseTimestamp(text: string): Instant {
  if (text.charCodeAt(4) !== hyphen || text.charCodeAt(text.length - 3) !== plus) {
    return instant(Date.parse(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`))
  }
  const pair = (at: number) => text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - elevenZeros
  const seconds = Date.UTC(pair(0) * 100 + pair(2), pair(5) - 1, pair(8), pair(11), pair(14), pair(17))
  if (text.length === wholeSecondsLength) return instant(seconds)
  return instant(seconds + Number(text.slice(20, Math.min(23, text.length - 3)).padEnd(3, '0')))
}

const hyphen = 45
const plus = 43
/** What the codes of two digits hold beyond their value. */
const elevenZeros = 48 * 11
const wholeSecondsLength = '2026-03-29 22:59:59+00'.length
