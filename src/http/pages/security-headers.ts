// Headers that limit what browsers may do with an answer: computed once by helmet, copied into each answer.
import type { IncomingMessage, ServerResponse } from 'node:http'
import helmet, { type HelmetOptions } from 'helmet'

const oneYearSeconds = 31_536_000

/** JSON for machines: nothing in it may run, be framed or be kept. */
export function apiHeaders(https: boolean): Record<string, string> {
  return {
    ...headersOf({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
      },
      strictTransportSecurity: transportSecurity(https),
      // These matter for documents only, and would cost time in each of ten thousand answers per second.
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

/**
 * Pages for people. Each page sets its own content security policy; this one serves where none does. What
 * other sites embed (button, badge, secure fields) sets `cross-origin-resource-policy` in its handler.
 */
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
      // Other sites learn nothing, and our own forms send their origin: see other-sites.ts.
      referrerPolicy: { policy: 'same-origin' },
    }),
    'cache-control': 'no-store',
  }
}

function transportSecurity(https: boolean): { maxAge: number } | false {
  return https ? { maxAge: oneYearSeconds } : false
}

/** What helmet would set on any answer: nothing of it depends on the request. */
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
