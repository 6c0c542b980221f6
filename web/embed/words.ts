// Texts of the modal in Portuguese and English.

export interface Words {
  readonly lang: string
  readonly title: string
  readonly close: string
  readonly loading: string
}

export const words: Readonly<Record<'pt' | 'en', Words>> = {
  pt: { lang: 'pt-PT', title: 'Pagamento seguro', close: 'Fechar', loading: 'A carregar…' },
  en: { lang: 'en', title: 'Secure payment', close: 'Close', loading: 'Loading…' },
}

/** Portuguese for Portuguese pages, English for all others. */
export function localeOf(tag: string | null): 'pt' | 'en' {
  return /^pt\b/i.test((tag ?? '').replace('_', '-')) ? 'pt' : 'en'
}
