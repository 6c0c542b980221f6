// What every hook of one app shares: settings, limiters, headers that never change.
import { type Admission, createAdmission } from './admission.ts'
import { createRequestMetrics, type RequestMetrics } from './observe/request-metrics.ts'
import { ownHosts } from './pages/own-hosts.ts'
import { apiHeaders, pageHeaders } from './pages/security-headers.ts'
import { createLimiter, type Limiter, limits } from './rate-limits.ts'
import type { DescribedWebhook } from './reference/webhooks.ts'
import type { HttpDeps } from './types.ts'

/** Facts of the settings that every answer may need, made once. */
interface HttpFacts {
  readonly baseUrl: string
  /** Whether a Host header names this gateway. */
  readonly isOwnHost: (header: string) => boolean
  /** What a 401 asks for. */
  readonly challenge: string
  readonly apiHeaders: Readonly<Record<string, string>>
  readonly pageHeaders: Readonly<Record<string, string>>
}

/** State that changes while the app serves, or while modules register their routes. */
interface HttpState {
  /** How many event streams each address has open; for addresses that have one. */
  readonly openStreams: Map<string, number>
  /** What the addresses of pages about one thing begin with, such as `/checkout/`. */
  readonly pagePaths: Set<string>
  /** The callbacks that the API reference describes, by their names there. */
  readonly webhooks: Map<string, DescribedWebhook>
  /** Set when the stop begins: answers then ask clients not to use their connection again. */
  draining: boolean
}

export interface HttpContext extends HttpFacts, HttpState {
  readonly deps: HttpDeps
  /** Undefined when limits are off. */
  readonly limiters: { readonly [Name in keyof typeof limits]: Limiter } | undefined
  readonly metrics: RequestMetrics
  readonly admission: Admission
}

declare module 'fastify' {
  interface FastifyInstance {
    /** For the http module alone. */
    readonly http: HttpContext
  }
}

export function createContext(deps: HttpDeps): HttpContext {
  const { config } = deps
  const https = config.baseUrl.startsWith('https:')
  return {
    deps,
    baseUrl: config.baseUrl,
    isOwnHost: ownHosts(config.baseUrl, config.host),
    challenge: `${config.authSchemes[0]} realm="${config.baseUrl}"`,
    apiHeaders: apiHeaders(https),
    pageHeaders: pageHeaders(https),
    limiters: config.rateLimits
      ? {
          key: createLimiter(limits.key),
          address: createLimiter(limits.address),
          pages: createLimiter(limits.pages),
          readiness: createLimiter(limits.readiness),
        }
      : undefined,
    openStreams: new Map(),
    metrics: createRequestMetrics(deps.metrics),
    admission: createAdmission(deps.metrics, deps.admission),
    pagePaths: new Set(),
    webhooks: new Map(),
    draining: false,
  }
}
