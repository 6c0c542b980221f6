// Dates and times in words.
import type { Instant } from '../../src/kernel/time.ts'
import type { Language } from '../issuer/messages.ts'

const tags: Readonly<Record<Language, string>> = { pt: 'pt-PT', en: 'en-GB' }

function formats(options: Intl.DateTimeFormatOptions) {
  const format = (tag: string) => new Intl.DateTimeFormat(tag, { timeZone: 'Europe/Lisbon', ...options })
  return { pt: format(tags.pt), en: format(tags.en) }
}

const times = formats({ dateStyle: 'full', timeStyle: 'long' })
const days = formats({ dateStyle: 'full' })

/** A time such as `Saturday 21 November 2026 at 10:00:00 WET`. */
export function timeInWords(moment: Instant, language: Language): string {
  return times[language].format(moment)
}

export function dayInWords(moment: Instant, language: Language): string {
  return days[language].format(moment)
}
