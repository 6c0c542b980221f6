// Access to the metrics: with a token, or from this machine.
import { createHash, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import type { AppRequest } from '../types.ts'

const proxyHeaders = [
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'forwarded',
  'via',
] as const

/** A request that has one of these headers came through a proxy. */
export function isFromThisMachine({ headers, raw }: AppRequest): boolean {
  return isLoopback(raw.socket.remoteAddress ?? '') && proxyHeaders.every((name) => !(name in headers))
}

/** A token, if one is set, is required. Otherwise the Host must be ours, against DNS rebinding. */
export function mayReadMetrics(
  request: AppRequest,
  token: string | undefined,
  isOwnHost: (header: string) => boolean,
): boolean {
  const { authorization = '', host } = request.headers
  if (token !== undefined) return isSame(authorization, `Bearer ${token}`)
  return isFromThisMachine(request) && (host === undefined || isOwnHost(host))
}

function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}

function isLoopback(ip: string): boolean {
  const address = ip.startsWith('::ffff:') ? ip.slice(7) : ip
  return isIP(address) === 4 ? address.startsWith('127.') : address === '::1'
}
