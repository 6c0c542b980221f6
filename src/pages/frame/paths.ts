// Addresses the pages link and post to: every one carries the language, so that no cookie is needed.
import { type PageMethod, pageOf } from '../../methods/list.ts'
import type { Locale } from '../model.ts'

/**
 * Path of a checkout's page or of something on it, in the language the customer sees.
 *
 * @param part `card`, `cancel`, `events` …; the page itself when absent
 */
export function checkoutPath(checkoutId: string, locale: Locale, part?: string): string {
  const id = encodeURIComponent(checkoutId)
  return `/checkout/${id}${part === undefined ? '' : `/${part}`}?lang=${locale}`
}

/** The part of a checkout's path that the form of a method posts to, such as `mbway`. */
export function methodPart(method: PageMethod): string {
  return pageOf(method).path
}

/** An address of a checkout's page, on which it says what became of the payment meanwhile. */
export function latePath(path: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}late`
}
