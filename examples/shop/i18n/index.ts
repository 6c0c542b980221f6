// Texts in each language.
import en from './en.json' with { type: 'json' }
import pt from './pt.json' with { type: 'json' }

export type Language = 'en' | 'pt'
export type Texts = typeof en

export const texts: Readonly<Record<Language, Texts>> = { en, pt }

/** The language that the customer chose, or else the browser's. Default: English. */
export function languageFor(asked: string | undefined, acceptLanguage = ''): Language {
  const [, liked] = /(?:^|,)\s*(en|pt)\b/i.exec(acceptLanguage) ?? []
  return asked === 'pt' || asked === 'en' ? asked : liked?.toLowerCase() === 'pt' ? 'pt' : 'en'
}

/** Replaces names in braces by their values, as in `{amount} charged`. */
export function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name]))
}

export function textFor(all: object, key = ''): string | undefined {
  return Object.hasOwn(all, key) ? String(Reflect.get(all, key)) : undefined
}
