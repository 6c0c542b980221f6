// Instants as people in Lisbon read them.
import type { Instant } from '../../kernel/time.ts'

const lisbonTime = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/Lisbon',
  dateStyle: 'full',
  timeStyle: 'long',
})

/** Such as `Saturday 21 November 2026 at 10:00:00 WET`. */
export function timeInWords(moment: Instant): string {
  return lisbonTime.format(moment)
}
