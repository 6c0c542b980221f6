// Security headers, computed once by helmet.
import type { IncomingMessage, ServerResponse } from 'node:http'
import helmet, { type HelmetOptions } from 'helmet'

const oneYearSeconds = 31_536_000

export function apiHeaders(https: boolean): Record<string, string> {
  return {
    ...headersOf({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
      },
      strictTransportSecurity: transportSecurity(https),
      // These headers only matter for documents and would cost time in each answer.
      crossOriginOpenerPolicy: false,
      crossOriginResourcePolicy: false,
      originAgentCluster: false,
      referrerPolicy: false,
      xDnsPrefetchControl: false,
      xDownloadOptions: false,
      xFrameOptions: false,
      xPermittedCrossDomainPolicies: false,
      xXssProtection: false,
    }),
    'cache-control': 'no-store',
  }
}

/** Headers of pages. Each page sets its own policy; embedded files set `cross-origin-resource-policy`. */
export function pageHeaders(https: boolean): Record<string, string> {
  return {
    ...headersOf({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'self'"],
          objectSrc: ["'none'"],
          baseUri: ["'none'"],
          formAction: ["'self'"],
          frameAncestors: ["'none'"],
        },
      },
      strictTransportSecurity: transportSecurity(https),
      referrerPolicy: { policy: 'same-origin' },
    }),
    'cache-control': 'no-store',
  }
}

function transportSecurity(https: boolean): { maxAge: number } | false {
  return https ? { maxAge: oneYearSeconds } : false
}

function headersOf(options: HelmetOptions): Record<string, string> {
  const headers: Record<string, string> = {}
  const collector = {
    setHeader: (name: string, value: string) => {
      headers[name.toLowerCase()] = value
    },
    removeHeader: () => undefined,
  }
  helmet(options)({} as IncomingMessage, collector as unknown as ServerResponse, () => undefined)
  return headers
}
