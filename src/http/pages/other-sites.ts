// Posts that a page of another site made a browser send: it may know an address, but must not act for its visitor.
import { type Refusal, RefusalError } from '../../kernel/result.ts'
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

/** The origin of the public address, or of another name of ours under which the browser reached us. */
function isOurOrigin({ headers, server }: AppRequest, origin: string): boolean {
  const asked = URL.parse(origin)
  if (asked === null || asked.origin !== origin) return false
  const base = URL.parse(server.http.baseUrl)
  if (origin === base?.origin) return true
  // At our public name the origin is the public one: another scheme is somebody on the way.
  if (asked.host === base?.host) return false
  const { host = '' } = headers
  return server.http.isOwnHost(host) && URL.parse(`${asked.protocol}//${host}`)?.host === asked.host
}

/**
 * Why a page is not shown under the name that was asked; undefined where it is a name of ours. Who owns another name can
 * point it here, and then a browser takes our pages for his (DNS rebinding). Programs that send no Host are no browser.
 */
export function refusalOfHost(request: AppRequest): Refusal | undefined {
  // Fastify takes X-Forwarded-Host from trusted proxies alone.
  const { host, server } = request
  if (host === '' || host === undefined || server.http.isOwnHost(host)) return undefined
  const reason =
    'pages are shown under the host of BASE_URL alone: a proxy in front must pass on the Host that it was asked by'
  return { kind: 'access_denied', reason }
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
