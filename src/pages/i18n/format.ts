// Amounts, dates and durations by language.
import { type Day, startOfLisbonDay } from '../../kernel/lisbon.ts'
import { type Cents, decimalText } from '../../kernel/money.ts'
import type { Instant } from '../../kernel/time.ts'
import type { Locale } from '../model.ts'

const languageTags = { pt: 'pt-PT', en: 'en-IE' } as const satisfies Record<Locale, string>
const timeZone = 'Europe/Lisbon'

export function languageTag(locale: Locale): string {
  return languageTags[locale]
}

export function money(amount: Cents, currency: string, locale: Locale): string {
  return decimalMoney(decimalText(amount), currency, locale)
}

/** Shows two to six decimals. A text that is no number stays unchanged. */
export function decimalMoney(amount: string, currency: string, locale: Locale): string {
  if (!/^-?\d{1,15}(\.\d+)?$/.test(amount)) return amount
  const format = moneyFormat(currency, locale)
  // The amount is formatted as text, because a float would lose digits.
  return format.format(amount as `${number}`)
}

const moneyFormats = new Map<string, Intl.NumberFormat>()

function moneyFormat(currency: string, locale: Locale): Intl.NumberFormat {
  const key = `${locale} ${currency}`
  const known = moneyFormats.get(key)
  if (known !== undefined) return known
  const options = { style: 'currency', currency, minimumFractionDigits: 2, maximumFractionDigits: 6 } as const
  const format = new Intl.NumberFormat(languageTags[locale], options)
  moneyFormats.set(key, format)
  return format
}

const clockTimes = formatsOf({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone })
const days = formatsOf({ day: 'numeric', month: 'long', year: 'numeric', timeZone })

function formatsOf(options: Intl.DateTimeFormatOptions): Record<Locale, Intl.DateTimeFormat> {
  return {
    pt: new Intl.DateTimeFormat(languageTags.pt, options),
    en: new Intl.DateTimeFormat(languageTags.en, options),
  }
}

export interface LocalMoment {
  readonly time: string
  readonly day?: string
}

export function localMoment(moment: Instant, now: Instant, locale: Locale): LocalMoment {
  const time = clockTimes[locale].format(moment)
  const day = days[locale].format(moment)
  return day === days[locale].format(now) ? { time } : { time, day }
}

export function wholeMoment(moment: Instant, locale: Locale): Required<LocalMoment> {
  return { time: clockTimes[locale].format(moment), day: days[locale].format(moment) }
}

export function dayInWords(day: Day, locale: Locale): string {
  return days[locale].format(startOfLisbonDay(day))
}

export function minutesAndSeconds(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
