// Posts that a page of another site made a browser send: it may know an address, but must not act for its visitor.
import { RefusalError } from '../kernel/result.ts'
import type { AppReply, AppRequest } from './types.ts'

/** Whether another site's page sent it, as browsers tell; programs tell nothing and are nobody's page. */
export function isFromOtherSite({ method, headers }: AppRequest): boolean {
  const site = headers['sec-fetch-site']
  return method !== 'GET' && (site === 'cross-site' || site === 'same-site')
}

/** A hook for routes that need no key: refuses with access_denied what another site's page sent. */
export function refuseOtherSites(request: AppRequest, _reply: AppReply, done: (error?: Error) => void): void {
  if (!isFromOtherSite(request)) return done()
  done(new RefusalError({ kind: 'access_denied', reason: "another site's page must not ask for this" }))
}
