// Calendar days and months of Portugal.
import { Temporal } from 'temporal-polyfill'
import { type Instant, instant, second } from './time.ts'

const lisbonZone = 'Europe/Lisbon'

export type Day = string

const dayPattern = /^\d{4}-\d{2}-\d{2}$/

/** Returns undefined if `text` is not a real date `yyyy-mm-dd`. */
export function parseDay(text: string): Day | undefined {
  if (!dayPattern.test(text)) return undefined
  try {
    return Temporal.PlainDate.from(text).toString()
  } catch {
    return undefined
  }
}

export function lisbonDayOf(moment: Instant): Day {
  return zoned(moment).toPlainDate().toString()
}

export function lisbonTimeOf(moment: Instant): string {
  return zoned(moment).toPlainDateTime().toString({ smallestUnit: 'second' }).replace('T', ' ')
}

/** Reads the format of {@link lisbonTimeOf}. In the hour that occurs twice in autumn, the first counts. */
export function parseLisbonTime(text: string): Instant | undefined {
  if (!/^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d$/.test(text)) return undefined
  try {
    const time = Temporal.PlainDateTime.from(text.replace(' ', 'T'))
    return instant(time.toZonedDateTime(lisbonZone).epochMilliseconds)
  } catch {
    return undefined
  }
}

export function startOfLisbonDay(day: Day): Instant {
  const start = Temporal.PlainDate.from(day).toZonedDateTime(lisbonZone)
  return instant(start.epochMilliseconds)
}

/** That hour by the clocks of Lisbon, also on days on which they change. */
export function momentInLisbon(day: Day, hour: number): Instant {
  const time = Temporal.PlainDate.from(day).toZonedDateTime({
    timeZone: lisbonZone,
    plainTime: Temporal.PlainTime.from({ hour }),
  })
  return instant(time.epochMilliseconds)
}

export function endOfLisbonDay(day: Day): Instant {
  return instant(startOfLisbonDay(addDays(day, 1)) - second)
}

export function addDays(day: Day, days: number): Day {
  return Temporal.PlainDate.from(day).add({ days }).toString()
}

export function daysBetween(first: Day, last: Day): number {
  return Temporal.PlainDate.from(first).until(last).days
}

/** Always add to the first date: 31 January plus one month is 28 February, plus two is 31 March. */
export function addMonths(day: Day, months: number): Day {
  return Temporal.PlainDate.from(day).add({ months }, { overflow: 'constrain' }).toString()
}

export function addLisbonMonths(moment: Instant, months: number): Instant {
  return instant(zoned(moment).add({ months }, { overflow: 'constrain' }).epochMilliseconds)
}

function zoned(moment: Instant): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(lisbonZone)
}
