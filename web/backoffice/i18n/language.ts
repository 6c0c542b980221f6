// Language of the backoffice.
import { createContext, useContext } from 'react'

export const languages = ['pt', 'en'] as const
export type Language = (typeof languages)[number]

export type Dictionary<Texts> = Readonly<Record<Language, Texts>>

const storageKey = 'comporta-language'

/** The language that the user chose, or else the browser's language. */
export function preferredLanguage(): Language {
  const chosen = localStorage.getItem(storageKey)
  if (chosen === 'pt' || chosen === 'en') return chosen
  return navigator.language.toLowerCase().startsWith('pt') ? 'pt' : 'en'
}

export function keepLanguage(language: Language): void {
  localStorage.setItem(storageKey, language)
}

export const LanguageContext = createContext<{
  readonly language: Language
  readonly choose: (language: Language) => void
}>({ language: 'en', choose: () => undefined })

export function useTexts<Texts>(dictionary: Dictionary<Texts>): Texts {
  return dictionary[useLanguage()]
}

export function useLanguage(): Language {
  return useContext(LanguageContext).language
}

/** Locale for `Intl` and `lang`. */
export function useLocale(): string {
  return useLanguage() === 'pt' ? 'pt-PT' : 'en-GB'
}
