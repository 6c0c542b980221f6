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

/** The values of the cookies of exactly that name, as they were sent. @param header `Cookie` */
export function cookiesIn(header: string | undefined, name: string): string[] {
  const values: string[] = []
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === name) values.push(pair.slice(at + 1).trim())
  }
  return values
}
