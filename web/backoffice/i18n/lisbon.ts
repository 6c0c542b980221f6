// Days and times in Lisbon, as forms hold them and as the API is sent them. Pure, but for what today is.

const timeZone = 'Europe/Lisbon'

/** `yyyy-mm-dd`, some days from today. */
export function lisbonDay(daysAhead = 0): string {
  const moment = new Date(Date.now() + daysAhead * 86_400_000)
  return new Intl.DateTimeFormat('sv-SE', { timeZone }).format(moment)
}

/** `yyyy-mm-ddThh:mm` now, as inputs of a date and time hold it. */
export function lisbonMinute(): string {
  const parts = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  return parts.format(new Date()).replace(' ', 'T')
}

/** A day and time of Lisbon, `yyyy-mm-ddThh:mm:ss`, with the offset that Lisbon has then. */
export function withLisbonOffset(moment: string): string {
  const names = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'longOffset' })
  const parts = names.formatToParts(new Date(`${moment}Z`))
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value.replace('GMT', '')
  return `${moment}${offset || 'Z'}`
}

/** The last second of a day, `yyyy-mm-dd`. */
export const endOfLisbonDay = (day: string): string => withLisbonOffset(`${day}T23:59:59`)
