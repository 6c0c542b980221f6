// Texts of the hosted pages, by language and kind of checkout.
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

export function textsOf(page: { readonly locale: Locale; readonly kind?: CheckoutKind | undefined }): Texts {
  return page.kind === 'authorization' ? reservingTexts[page.locale] : texts[page.locale]
}
