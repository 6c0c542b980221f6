// Amounts and moments as people read them: euros, Lisbon time.
import { useMemo } from 'react'
import { useLocale } from './language.ts'

export interface Formats {
  /** @param euros as the API answers them */
  money(euros: number | string, currency?: string): string
  /** One amount, or two bounds where they differ. */
  range(least: number | string, most: number | string): string
  /** As it stands in a field: `12,50` or `12.50`. */
  typed(euros: number): string
  /** The same without trailing zeros: `1,5`. */
  decimal(value: number): string
  number(value: number): string
  percent(share: number): string
  /** Day and time. */
  moment(timestamp: string): string
  /** The same to the second. */
  second(timestamp: string): string
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
  const second = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium', timeZone })
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone })
  // Thousands apart also where the language would begin at ten thousand: amounts stand in columns.
  const money = (euros: number | string, currency = 'EUR') =>
    new Intl.NumberFormat(locale, { style: 'currency', currency, useGrouping: 'always' }).format(
      Number(euros),
    )
  return {
    money,
    range: (least, most) =>
      Number(least) === Number(most) ? money(least) : `${money(least)} – ${money(most)}`,
    typed: (euros) => euros.toFixed(2).replace('.', locale === 'pt-PT' ? ',' : '.'),
    decimal: (value) => String(value).replace('.', locale === 'pt-PT' ? ',' : '.'),
    number: (value) => number.format(value),
    percent: (share) => percent.format(share),
    moment: (timestamp) => moment.format(new Date(timestamp)),
    second: (timestamp) => second.format(new Date(timestamp)),
    day: (timestamp) => day.format(new Date(timestamp)),
  }
}
