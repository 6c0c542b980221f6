// Posts that a page of another site made a browser send: it may know an address, but must not act for its visitor.
import { RefusalError } from '../../kernel/result.ts'
import type { AppReply, AppRequest } from '../types.ts'

/**
 * Whether another site's page sent it, as browsers say by `Sec-Fetch-Site`, or by `Origin` where they are older or
 * the address is plain http. Programs send neither and are no page.
 */
export function isFromOtherSite(request: AppRequest): boolean {
  const { method, headers } = request
  if (method === 'GET') return false
  const { origin, 'sec-fetch-site': site } = headers
  if (site === 'cross-site' || site === 'same-site') return true
  if (site === 'same-origin' || origin === undefined) return false
  // Our pages let browsers send their origin; a hidden one is another page's.
  return origin === 'null' ? site === undefined : !isOurOrigin(request, origin)
}

/** The origin of the public address, or of the name under which the browser reached us. */
function isOurOrigin({ headers, server }: AppRequest, origin: string): boolean {
  const asked = URL.parse(origin)
  if (asked === null || asked.origin !== origin) return false
  if (origin === URL.parse(server.http.baseUrl)?.origin) return true
  return URL.parse(`${asked.protocol}//${headers.host ?? ''}`)?.host === asked.host
}

type Done = (error?: Error) => void

/** A hook: refuses with access_denied who reached us under a name that is not ours. */
export function refuseOtherHosts(request: AppRequest, _reply: AppReply, done: Done): void {
  const { host } = request.headers
  if (host === undefined || request.server.http.isOwnHost(host)) return done()
  const reason =
    'the sandbox answers only under the host of BASE_URL, HOST and localhost: set BASE_URL to reach it under another name'
  done(new RefusalError({ kind: 'access_denied', reason }))
}

/** The same, and refuses what another site's page sent. For routes that need no key. */
export function refuseOtherSites(request: AppRequest, reply: AppReply, done: Done): void {
  if (isFromOtherSite(request)) {
    done(new RefusalError({ kind: 'access_denied', reason: "another site's page must not ask for this" }))
  } else {
    refuseOtherHosts(request, reply, done)
  }
}
