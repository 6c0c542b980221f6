// The template tag, and guards for the two places where escaping alone does not make text safe.

// `html` escapes every value; only `!${…}` lets through what another template made.
export { html } from 'ghtml'

/**
 * An absolute http(s) URL for `href`, `action` or a refresh.
 *
 * @throws for any other scheme: addresses were checked when they came in, so this is a bug
 */
export function webUrl(url: string): string {
  const parsed = URL.parse(url)
  if (parsed?.protocol !== 'https:' && parsed?.protocol !== 'http:') throw new Error('not an http(s) URL')
  return url
}

/**
 * A path on our own origin.
 *
 * @throws for anything that leads to another one
 */
export function ownPath(path: string): string {
  if (!/^\/(?![/\\])/.test(path)) throw new Error('not a path of ours')
  return path
}

/** A card number keeps out of every page, also when somebody typed it into the wrong field. */
export function withoutCardNumber(text: string): string {
  return digitsPerCardNumber.test(text.replace(/[\s.-]/g, '')) ? '' : text
}

/** Phones have at most 15 digits but hardly more than 12; cards have 13 and more. */
const digitsPerCardNumber = /\d{13}/

/** The attribute `name` when `present`. */
export function flag(name: string, present: boolean): string {
  return present ? name : ''
}
