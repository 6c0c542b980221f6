// Which language a page speaks.
import { type Locale, locales } from '../model.ts'

export interface LanguageHints {
  /** `?locale=pt_PT`, appended by the merchant (CONTRACT section 7). */
  readonly locale?: string | undefined
  /** `?lang=en`, appended by the merchant or by the page's own switch, which wins. */
  readonly lang?: string | undefined
  /** The Accept-Language header. */
  readonly acceptLanguage?: string | undefined
  /** Of who made the page for somebody: a payment link's. It goes before what the browser says. */
  readonly preferred?: Locale | undefined
  /** Of the merchant, for people whose browser asks for none of ours. */
  readonly fallback?: Locale | undefined
}

/** Of programs and browsers that say nothing (CONTRACT section 7). */
const localeDefault: Locale = 'pt'
/** For people whose languages are none of ours. */
const localeForOthers: Locale = 'en'
/** More entries than any browser sends are not read. */
const acceptedMax = 20

/**
 * `lang`, else `locale`, else what is preferred, else what the browser likes best of ours. A browser that names only
 * other languages gets the merchant's or else English, one that names none the merchant's or else Portuguese. An unknown
 * `lang` or `locale` counts as not sent.
 */
export function pickLocale({ lang, locale, acceptLanguage, preferred, fallback }: LanguageHints): Locale {
  const asked = known(lang) ?? known(locale) ?? preferred
  return asked ?? fromHeader(acceptLanguage, fallback) ?? fallback ?? localeDefault
}

function known(tag: string | undefined): Locale | undefined {
  const language = languageOf(tag)
  return locales.find((candidate) => candidate === language)
}

function languageOf(tag: string | undefined): string | undefined {
  return tag?.trim().toLowerCase().split(/[_-]/)[0]
}

function fromHeader(header: string | undefined, fallback: Locale = localeForOthers): Locale | undefined {
  const wishes = (header ?? '')
    .split(',', acceptedMax)
    .map((entry) => {
      const [tag, ...parameters] = entry.split(';')
      const quality = parameters.map((text) => /^\s*q=([\d.]+)\s*$/i.exec(text)?.[1]).find(Boolean)
      return { tag, quality: quality === undefined ? 1 : Number(quality) }
    })
    .filter(({ tag, quality }) => /^[a-z]{2,8}$/.test(languageOf(tag) ?? '') && quality > 0)
  wishes.sort((a, b) => b.quality - a.quality)
  const ours = wishes.map(({ tag }) => known(tag)).find((locale) => locale !== undefined)
  return ours ?? (wishes.length === 0 ? undefined : fallback)
}
