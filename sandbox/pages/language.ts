// Language of a sandbox page.
import type { AppRequest } from '../../src/http/index.ts'
import { type Language, languageOf } from '../issuer/messages.ts'

/** The language of `?lang=`, or else of the browser. */
export function languageFor({ query, headers }: Pick<AppRequest, 'query' | 'headers'>): Language {
  const { lang } = query as { lang?: unknown }
  return lang === 'en' || lang === 'pt' ? lang : languageOf(headers['accept-language'])
}

export const otherLanguage: Readonly<Record<Language, { readonly lang: Language; readonly name: string }>> = {
  pt: { lang: 'en', name: 'English' },
  en: { lang: 'pt', name: 'Português' },
}
