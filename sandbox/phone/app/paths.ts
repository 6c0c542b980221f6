// Paths of the phone's pages.
import type { Language } from '../../issuer/messages.ts'

export const phonesPath = '/sandbox/phone'

export function phonePath(phone: string, lang: Language, part?: string): string {
  return `${phonesPath}/${phone.replace('+', '')}${part === undefined ? '' : `/${part}`}?lang=${lang}`
}
