// Options of the sandbox's routes.
import { refuseCardNumbers, refuseOtherHosts, refuseOtherSites } from '../src/http/index.ts'

/** Options of JSON routes for tests. Other websites must not move time or pay, so they are refused. */
export const sandboxJson = {
  config: { auth: 'none', unlimited: true },
  schema: { hide: true },
  onRequest: refuseOtherSites,
  preValidation: refuseCardNumbers,
} as const

/** Options of pages whose forms post to the same page. */
export const sandboxPage = {
  config: { auth: 'none', unlimited: true, page: true },
  schema: { hide: true },
  onRequest: refuseOtherSites,
  preValidation: refuseCardNumbers,
} as const

/** Options of the issuer's pages, to which other sites lead. */
export const issuerPage = {
  config: { auth: 'none', unlimited: true, page: true },
  schema: { hide: true },
  onRequest: refuseOtherHosts,
} as const
