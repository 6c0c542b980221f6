// Days and times in Lisbon.

const timeZone = 'Europe/Lisbon'

/** A day as `yyyy-mm-dd`. */
export function lisbonDay(daysAhead = 0): string {
  const moment = new Date(Date.now() + daysAhead * 86_400_000)
  return new Intl.DateTimeFormat('sv-SE', { timeZone }).format(moment)
}

/** The present time as `yyyy-mm-ddThh:mm`. */
export function lisbonMinute(): string {
  const parts = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  return parts.format(new Date()).replace(' ', 'T')
}

/** Adds the Lisbon offset to `yyyy-mm-ddThh:mm:ss`. */
export function withLisbonOffset(moment: string): string {
  const names = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'longOffset' })
  const parts = names.formatToParts(new Date(`${moment}Z`))
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value.replace('GMT', '')
  return `${moment}${offset || 'Z'}`
}

export const endOfLisbonDay = (day: string): string => withLisbonOffset(`${day}T23:59:59`)
