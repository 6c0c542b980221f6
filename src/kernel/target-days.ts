// Settlement days of euro area banks (TARGET).
import { Temporal } from 'temporal-polyfill'
import type { Day } from './lisbon.ts'

const fixedHolidays: ReadonlySet<string> = new Set(['01-01', '05-01', '12-25', '12-26'])
const saturday = 6
/** Good Friday and Easter Monday, as days from Easter Sunday. */
const easterHolidays: readonly number[] = [-2, 1]

export function isTargetDay(day: Day): boolean {
  const date = Temporal.PlainDate.from(day)
  if (date.dayOfWeek >= saturday || fixedHolidays.has(day.slice(5))) return false
  const easter = easterSunday(date.year)
  return !easterHolidays.some((offset) => easter.add({ days: offset }).equals(date))
}

export function nextTargetDay(day: Day): Day {
  let date = Temporal.PlainDate.from(day)
  do date = date.add({ days: 1 })
  while (!isTargetDay(date.toString()))
  return date.toString()
}

/** Easter Sunday of the Gregorian calendar (Meeus, Jones and Butcher). */
function easterSunday(year: number): Temporal.PlainDate {
  const a = year % 19
  const b = Math.floor(year / 100)
  const c = year % 100
  const d = Math.floor(b / 4)
  const e = b % 4
  const f = Math.floor((b + 8) / 25)
  const g = Math.floor((b - f + 1) / 3)
  const h = (19 * a + b - d - g + 15) % 30
  const i = Math.floor(c / 4)
  const k = c % 4
  const l = (32 + 2 * e + 2 * i - h - k) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const ofYear = h + l - 7 * m + 114
  return Temporal.PlainDate.from({ year, month: Math.floor(ofYear / 31), day: (ofYear % 31) + 1 })
}
