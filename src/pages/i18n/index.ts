// Texts of the hosted pages, by language and kind of checkout.
import { type CheckoutKind, type Locale, locales } from '../model.ts'
import { english } from './english.ts'
import { portuguese } from './portuguese.ts'
import { reserving } from './reserving.ts'
import type { Texts } from './shape.ts'

export const texts: Record<Locale, Texts> = { pt: portuguese, en: english }

const reservingTexts: Record<Locale, Texts> = {
  pt: { ...portuguese, ...reserving.pt(portuguese) },
  en: { ...english, ...reserving.en(english) },
}

export function textsOf(page: { readonly locale: Locale; readonly kind?: CheckoutKind | undefined }): Texts {
  return page.kind === 'authorization' ? reservingTexts[page.locale] : texts[page.locale]
}

export interface LanguageHints {
  readonly locale?: string | undefined
  readonly lang?: string | undefined
  readonly acceptLanguage?: string | undefined
  readonly preferred?: Locale | undefined
  readonly fallback?: Locale | undefined
}

/** For clients that name no language (CONTRACT section 7). */
const localeDefault: Locale = 'pt'
const localeForOthers: Locale = 'en'
const acceptedMax = 20

/**
 * The first of `lang`, `locale`, `preferred`, the browser, the merchant. Default: Portuguese, or English if
 * the browser names other languages.
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
