// The languages of the shop, and which of them a visitor reads.
import { english, type Words } from './en.ts'
import { portuguese } from './pt.ts'

export type { Words } from './en.ts'
export type Language = 'en' | 'pt'

export const words: Readonly<Record<Language, Words>> = { en: english, pt: portuguese }
export const locales: Readonly<Record<Language, string>> = { en: 'en-IE', pt: 'pt-PT' }

/** The language asked for, else the one that the browser likes best; English where it likes neither. */
export function languageFor(asked: string | undefined, acceptLanguage = ''): Language {
  if (asked === 'en' || asked === 'pt') return asked
  const liked = acceptLanguage
    .split(',')
    .map((entry) => /^\s*(en|pt)\b[^;]*(?:;\s*q=([\d.]+))?\s*$/i.exec(entry))
    .filter((match) => match !== null)
    .map(([, language, quality]) => ({ language: language?.toLowerCase(), quality: Number(quality ?? 1) }))
    .toSorted((a, b) => b.quality - a.quality)
  return liked[0]?.language === 'pt' ? 'pt' : 'en'
}
