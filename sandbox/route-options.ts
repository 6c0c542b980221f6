// What every route of the sandbox has in common: open to all, and as fast as whoever tests with it likes.
import { refuseCardNumbers, refuseOtherHosts, refuseOtherSites } from '../src/http/index.ts'

/** JSON for tests. No website may move the time, or pay, in the sandbox of a developer who looks at it. */
export const sandboxJson = {
  config: { auth: 'none', unlimited: true },
  schema: { hide: true },
  onRequest: refuseOtherSites,
  preValidation: refuseCardNumbers,
} as const

/** Pages for people, whose forms are posted from themselves. */
export const sandboxPage = {
  config: { auth: 'none', unlimited: true, page: true },
  schema: { hide: true },
  onRequest: refuseOtherSites,
  preValidation: refuseCardNumbers,
} as const

/** Pages of the issuer, to which other sites lead as they do in the world. */
export const issuerPage = {
  config: { auth: 'none', unlimited: true, page: true },
  schema: { hide: true },
  onRequest: refuseOtherHosts,
} as const
