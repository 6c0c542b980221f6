// Page addresses, with the language instead of a cookie.
import { type PageMethod, pageOf } from '../../methods/list.ts'
import type { Locale } from '../model.ts'

export function checkoutPath(checkoutId: string, locale: Locale, part?: string): string {
  const id = encodeURIComponent(checkoutId)
  return `/checkout/${id}${part === undefined ? '' : `/${part}`}?lang=${locale}`
}

export function methodPart(method: PageMethod): string {
  return pageOf(method).path
}

export function latePath(path: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}late`
}
