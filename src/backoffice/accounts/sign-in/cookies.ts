// The cookies of the backoffice.
import type { AppReply } from '../../../http/index.ts'

const ours = 'comporta'

export interface CookieRules {
  readonly prefix: string
  readonly path: string
  readonly isSecure: boolean
}

/** Over https `__Host-` cookies: no other host of the domain can set them. Their path must be `/`. */
export function cookieRules(baseUrl: string): CookieRules {
  const isSecure = new URL(baseUrl).protocol === 'https:'
  return isSecure
    ? { prefix: `__Host-${ours}`, path: '/', isSecure }
    : { prefix: ours, path: '/backoffice', isSecure }
}

const sessionCookie = new RegExp(`^((?:__Host-)?${ours})\\.session_token=([^;]*)`)
const signedInCookie = new RegExp(`(?:^|; )(?:__Host-)?${ours}\\.signed_in=`)
export const signedInName = ({ prefix }: Pick<CookieRules, 'prefix'>): string => `${prefix}.signed_in`

/** Passes the library's cookies. A second one without a secret tells scripts that a session exists. */
export function passCookies(reply: AppReply, headers: Headers): void {
  for (const cookie of headers.getSetCookie()) {
    reply.header('set-cookie', cookie)
    const [pair = '', prefix, value] = sessionCookie.exec(cookie) ?? []
    if (prefix === undefined) continue
    const attributes = cookie.slice(pair.length).replace(/; HttpOnly/i, '')
    reply.header('set-cookie', `${signedInName({ prefix })}=${value === '' ? '' : 'yes'}${attributes}`)
  }
}

/** Whether the cookie for scripts is set. `cookies` is `document.cookie`. */
export function saysSignedIn(cookies: string): boolean {
  return signedInCookie.test(cookies)
}

/** The `Set-Cookie` header that removes a cookie. Undefined if the `Cookie` header does not contain it. */
export function endCookie(header: string | undefined, name: string, rules: CookieRules): string | undefined {
  if (cookiesIn(header, name).length === 0) return undefined
  return `${name}=; Path=${rules.path}; Max-Age=0; HttpOnly; SameSite=Strict${rules.isSecure ? '; Secure' : ''}`
}

export function cookiesIn(header: string | undefined, name: string): string[] {
  const values: string[] = []
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === name) values.push(pair.slice(at + 1).trim())
  }
  return values
}
