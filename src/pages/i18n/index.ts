// Every text of the hosted pages, by language, in the words of what a checkout is about.
import type { CheckoutKind, Locale } from '../model.ts'
import { english } from './english.ts'
import { portuguese } from './portuguese.ts'
import { reserving } from './reserving.ts'
import type { Texts } from './shape.ts'

export const texts: Record<Locale, Texts> = { pt: portuguese, en: english }

const reservingTexts: Record<Locale, Texts> = {
  pt: { ...portuguese, ...reserving.pt(portuguese) },
  en: { ...english, ...reserving.en(english) },
}

/** The texts of a page about a checkout, in the words of its kind. */
export function textsOf(page: { readonly locale: Locale; readonly kind?: CheckoutKind | undefined }): Texts {
  return page.kind === 'authorization' ? reservingTexts[page.locale] : texts[page.locale]
}
