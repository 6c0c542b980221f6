// Which language a page speaks.
import { type Locale, locales } from './model.ts'

export interface LanguageHints {
  /** `?locale=pt_PT`, appended by the merchant (CONTRACT section 7). */
  readonly locale?: string | undefined
  /** `?lang=en`, appended by the merchant or by the page's own switch, which wins. */
  readonly lang?: string | undefined
  /** The Accept-Language header. */
  readonly acceptLanguage?: string | undefined
}

const localeDefault: Locale = 'pt'
/** More entries than any browser sends are not read. */
const acceptedMax = 20

/** `lang`, else `locale`, else the browser's wish, else Portuguese. Unknown languages count as not said. */
export function pickLocale({ lang, locale, acceptLanguage }: LanguageHints): Locale {
  return known(lang) ?? known(locale) ?? fromHeader(acceptLanguage) ?? localeDefault
}

function known(tag: string | undefined): Locale | undefined {
  const language = tag?.trim().toLowerCase().split(/[_-]/)[0]
  return locales.find((candidate) => candidate === language)
}

function fromHeader(header: string | undefined): Locale | undefined {
  const wishes = (header ?? '')
    .split(',', acceptedMax)
    .map((entry) => {
      const [tag, ...parameters] = entry.split(';')
      const quality = parameters.map((text) => /^\s*q=([\d.]+)\s*$/i.exec(text)?.[1]).find(Boolean)
      return { locale: known(tag), quality: quality === undefined ? 1 : Number(quality) }
    })
    .filter((wish) => wish.locale !== undefined && wish.quality > 0)
  wishes.sort((a, b) => b.quality - a.quality)
  return wishes[0]?.locale
}
