// Shared state of one app: settings, limiters, constant headers.
import { type Admission, createAdmission } from './admission.ts'
import { createRequestMetrics, type RequestMetrics } from './observe/request-metrics.ts'
import { ownHosts } from './pages/other-sites.ts'
import { apiHeaders, pageHeaders } from './pages/security-headers.ts'
import { createLimiter, type Limiter, limits } from './rate-limits.ts'
import type { DescribedWebhook } from './reference/webhooks.ts'
import type { HttpDeps } from './types.ts'

interface HttpFacts {
  readonly baseUrl: string
  readonly isOwnHost: (header: string) => boolean
  readonly challenge: string
  readonly apiHeaders: Readonly<Record<string, string>>
  readonly pageHeaders: Readonly<Record<string, string>>
}

interface HttpState {
  readonly openStreams: Map<string, number>
  readonly pagePaths: Set<string>
  readonly webhooks: Map<string, DescribedWebhook>
  /** True while the gateway stops. Each answer then closes its connection. */
  draining: boolean
}

export interface HttpContext extends HttpFacts, HttpState {
  readonly deps: HttpDeps
  readonly limiters: { readonly [Name in keyof typeof limits]: Limiter } | undefined
  readonly metrics: RequestMetrics
  readonly admission: Admission
}

declare module 'fastify' {
  interface FastifyInstance {
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
