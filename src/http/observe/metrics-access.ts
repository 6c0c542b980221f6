// Who may read the metrics: who shows the token, or without one this machine itself.
import { createHash, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import type { AppRequest } from '../types.ts'

/** Headers that proxies write: a request with one comes through a proxy. */
const proxyHeaders = [
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'forwarded',
  'via',
] as const

/** Whether the request comes from this machine, through no proxy. */
export function isFromThisMachine({ headers, raw }: AppRequest): boolean {
  return isLoopback(raw.socket.remoteAddress ?? '') && proxyHeaders.every((name) => !(name in headers))
}

/**
 * Whether the request may read the metrics; with a token nothing but the token counts. Without one the name that was
 * asked must be ours: a page of another site may have its own name lead here (DNS rebinding).
 */
export function mayReadMetrics(
  request: AppRequest,
  token: string | undefined,
  isOwnHost: (header: string) => boolean,
): boolean {
  const { authorization = '', host } = request.headers
  if (token !== undefined) return isSame(authorization, `Bearer ${token}`)
  return isFromThisMachine(request) && (host === undefined || isOwnHost(host))
}

/** Compares in constant time. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}

function isLoopback(ip: string): boolean {
  const address = ip.startsWith('::ffff:') ? ip.slice(7) : ip
  return isIP(address) === 4 ? address.startsWith('127.') : address === '::1'
}
