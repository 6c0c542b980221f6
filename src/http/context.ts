// What every hook of one app shares: settings, limiters, headers that never change.
import { createLimiter, type Limiter, limits } from './rate-limits.ts'
import { createRequestMetrics, type RequestMetrics } from './request-metrics.ts'
import { apiHeaders, pageHeaders } from './security-headers.ts'
import type { HttpDeps } from './types.ts'

export interface HttpContext {
  readonly deps: HttpDeps
  readonly baseUrl: string
  /** What a 401 asks for. */
  readonly challenge: string
  readonly apiHeaders: Readonly<Record<string, string>>
  readonly pageHeaders: Readonly<Record<string, string>>
  /** Undefined when limits are off. */
  readonly limiters: { readonly key: Limiter; readonly address: Limiter; readonly pages: Limiter } | undefined
  readonly metrics: RequestMetrics
  /** What the addresses of pages about one thing begin with, such as `/checkout/`. */
  readonly pagePaths: Set<string>
  /** Set when the stop begins: answers then tell clients not to use their connection again. */
  draining: boolean
}

declare module 'fastify' {
  interface FastifyInstance {
    /** For the HTTP room alone. */
    readonly http: HttpContext
  }
}

export function createContext(deps: HttpDeps): HttpContext {
  const { config } = deps
  const https = config.baseUrl.startsWith('https:')
  return {
    deps,
    baseUrl: config.baseUrl,
    challenge: `${config.authSchemes[0]} realm="${config.baseUrl}"`,
    apiHeaders: apiHeaders(https),
    pageHeaders: pageHeaders(https),
    limiters: config.rateLimits
      ? {
          key: createLimiter(limits.key),
          address: createLimiter(limits.address),
          pages: createLimiter(limits.pages),
        }
      : undefined,
    metrics: createRequestMetrics(deps.metrics),
    pagePaths: new Set(),
    draining: false,
  }
}
