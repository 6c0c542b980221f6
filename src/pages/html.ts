// The HTML template tag, and guards for addresses and card numbers.
import { type PageMethod, pageOf } from '../methods/list.ts'
import type { Locale } from './model.ts'

export { html } from 'ghtml'

export function webUrl(url: string): string {
  const parsed = URL.parse(url)
  if (parsed?.protocol !== 'https:' && parsed?.protocol !== 'http:') throw new Error('not an http(s) URL')
  return url
}

export function ownPath(path: string): string {
  if (!/^\/(?![/\\])/.test(path)) throw new Error('not a path of ours')
  return path
}

export function withoutCardNumber(text: string): string {
  return digitsPerCardNumber.test(text.replace(/[\s.-]/g, '')) ? '' : text
}

/** In practice phone numbers have at most 12 digits, and card numbers at least 13. */
const digitsPerCardNumber = /\d{13}/

export function flag(name: string, present: boolean): string {
  return present ? name : ''
}

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
