// What the cookies of the backoffice are called, and where browsers send them.
import type { AppReply } from '../../../http/index.ts'

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

const sessionCookie = new RegExp(`^((?:__Host-)?${ours})\\.session_token=([^;]*)`)
const signedInCookie = new RegExp(`(?:^|; )(?:__Host-)?${ours}\\.signed_in=`)
export const signedInName = ({ prefix }: Pick<CookieRules, 'prefix'>): string => `${prefix}.signed_in`

/**
 * Passes on the cookies of the library. Beside that of a session, one without a secret comes and goes, which scripts of
 * our pages read: without it they need not ask for a session, and be refused, to know that nobody is signed in.
 */
export function passCookies(reply: AppReply, headers: Headers): void {
  for (const cookie of headers.getSetCookie()) {
    reply.header('set-cookie', cookie)
    const [pair = '', prefix, value] = sessionCookie.exec(cookie) ?? []
    if (prefix === undefined) continue
    const attributes = cookie.slice(pair.length).replace(/; HttpOnly/i, '')
    reply.header('set-cookie', `${signedInName({ prefix })}=${value === '' ? '' : 'yes'}${attributes}`)
  }
}

/** Whether somebody signed in here, as far as a page's script can tell. @param cookies `document.cookie` */
export function saysSignedIn(cookies: string): boolean {
  return signedInCookie.test(cookies)
}

/** `Set-Cookie` that removes a cookie, if the browser sent it. @param header `Cookie`, as it was sent */
export function endCookie(header: string | undefined, name: string, rules: CookieRules): string | undefined {
  if (cookiesIn(header, name).length === 0) return undefined
  return `${name}=; Path=${rules.path}; Max-Age=0; HttpOnly; SameSite=Strict${rules.isSecure ? '; Secure' : ''}`
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
