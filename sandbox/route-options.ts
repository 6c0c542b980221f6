// Options of the sandbox's routes.
import { refuseCardNumbers, refuseOtherHosts, refuseOtherSites } from '../src/http/index.ts'

/** JSON for tests. Other websites are refused: they must not move time or pay. */
export const sandboxJson = {
  config: { auth: 'none', unlimited: true },
  schema: { hide: true },
  onRequest: refuseOtherSites,
  preValidation: refuseCardNumbers,
} as const

/** Pages whose forms post to themselves. */
export const sandboxPage = {
  config: { auth: 'none', unlimited: true, page: true },
  schema: { hide: true },
  onRequest: refuseOtherSites,
  preValidation: refuseCardNumbers,
} as const

/** Pages of the issuer, which other sites open. */
export const issuerPage = {
  config: { auth: 'none', unlimited: true, page: true },
  schema: { hide: true },
  onRequest: refuseOtherHosts,
} as const
