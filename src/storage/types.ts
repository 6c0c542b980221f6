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

/** Sessions run in UTC, so the text is always `2026-03-29 22:59:59.123+00`. */
function parseTimestamp(text: string): Instant {
  const utc = `${text.slice(0, 10)}T${text.slice(11, -3)}Z`
  return instant(Date.parse(utc))
}
