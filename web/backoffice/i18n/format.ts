// Formats of amounts and Lisbon times.
import { useMemo } from 'react'
import { useLocale } from './language.ts'

export interface Formats {
  /** @param euros amount from the API */
  money(euros: number | string, currency?: string): string
  range(least: number | string, most: number | string): string
  /** The amount as a person types it into a field: `12,50` or `12.50`. */
  typed(euros: number): string
  /** Without trailing zeros: `1,5`. */
  decimal(value: number): string
  number(value: number): string
  percent(share: number): string
  moment(timestamp: string): string
  second(timestamp: string): string
  day(timestamp: string): string
}

const timeZone = 'Europe/Lisbon'

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
  // Separates thousands also in amounts of four digits, so that the digits of a column align.
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
