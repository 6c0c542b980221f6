// What the cookies of the backoffice are called, and where browsers send them.

/** Before the names of all of them. */
const ours = 'comporta'

export interface CookieRules {
  /** What each name begins with, without the dot. */
  readonly prefix: string
  readonly path: string
  readonly isSecure: boolean
}

/**
 * Over https they are `__Host-` cookies: browsers take them over https alone, and from no other host of the same domain.
 * The price is the path, which must then be the whole host.
 */
export function cookieRules(baseUrl: string): CookieRules {
  const isSecure = new URL(baseUrl).protocol === 'https:'
  return isSecure
    ? { prefix: `__Host-${ours}`, path: '/', isSecure }
    : { prefix: ours, path: '/backoffice', isSecure }
}

/** The value of the cookie of exactly that name; of two, the first. @param header `Cookie`, as it was sent */
export function cookieIn(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return undefined
}
