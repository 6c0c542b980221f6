// Amounts and moments as people read them: euros, Lisbon time.
import { useMemo } from 'react'
import { useLocale } from './language.ts'

export interface Formats {
  /** @param euros as the API answers them */
  money(euros: number | string, currency?: string): string
  number(value: number): string
  percent(share: number): string
  /** Day and time. */
  moment(timestamp: string): string
  day(timestamp: string): string
}

const timeZone = 'Europe/Lisbon'

/** Formatters in the language that is chosen, made once for each. */
export function useFormats(): Formats {
  const locale = useLocale()
  return useMemo(() => formatsOf(locale), [locale])
}

function formatsOf(locale: string): Formats {
  const number = new Intl.NumberFormat(locale)
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone })
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone })
  return {
    money: (euros, currency = 'EUR') =>
      new Intl.NumberFormat(locale, { style: 'currency', currency }).format(Number(euros)),
    number: (value) => number.format(value),
    percent: (share) => percent.format(share),
    moment: (timestamp) => moment.format(new Date(timestamp)),
    day: (timestamp) => day.format(new Date(timestamp)),
  }
}
