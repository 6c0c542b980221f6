// Protection against requests that another site's page caused.
import { isIP } from 'node:net'
import { type Refusal, RefusalError } from '../../kernel/result.ts'
import { isLoopbackName, loopbackNames } from '../../kernel/values/web-address.ts'
import type { AppReply, AppRequest } from '../types.ts'

/** Browsers send `Sec-Fetch-Site`; old ones and those on plain http send `Origin`. Programs send neither. */
export function isFromOtherSite(request: AppRequest): boolean {
  const { method, headers } = request
  if (method === 'GET') return false
  const { origin, 'sec-fetch-site': site } = headers
  if (site === 'cross-site' || site === 'same-site') return true
  if (site === 'same-origin' || origin === undefined) return false
  // Our pages send their origin. If it is `null`, the request came from another page.
  return origin === 'null' ? site === undefined : !isOurOrigin(request, origin)
}

function isOurOrigin({ headers, server }: AppRequest, origin: string): boolean {
  const asked = URL.parse(origin)
  if (asked === null || asked.origin !== origin) return false
  const base = URL.parse(server.http.baseUrl)
  if (origin === base?.origin) return true
  // The public name has one scheme. Another scheme means an attacker on the network.
  if (asked.host === base?.host) return false
  const { host = '' } = headers
  return server.http.isOwnHost(host) && URL.parse(`${asked.protocol}//${host}`)?.host === asked.host
}

/** Refuses pages under a foreign host name (DNS rebinding). Programs that send no Host may pass. */
export function refusalOfHost(request: AppRequest): Refusal | undefined {
  const { host, server } = request
  if (host === '' || host === undefined || server.http.isOwnHost(host)) return undefined
  const reason = 'use the host of BASE_URL for pages; a proxy in front must forward the Host header'
  return { kind: 'access_denied', reason }
}

type Done = (error?: Error) => void

export function refuseOtherHosts(request: AppRequest, _reply: AppReply, done: Done): void {
  const { host } = request.headers
  if (host === undefined || request.server.http.isOwnHost(host)) return done()
  const reason =
    'the sandbox answers only on the host of BASE_URL, on HOST and localhost: set BASE_URL for another name'
  done(new RefusalError({ kind: 'access_denied', reason }))
}

export function refuseOtherSites(request: AppRequest, reply: AppReply, done: Done): void {
  if (isFromOtherSite(request)) {
    done(
      new RefusalError({ kind: 'access_denied', reason: 'pages of other sites must not send this request' }),
    )
  } else {
    refuseOtherHosts(request, reply, done)
  }
}

const everyAddress = ['0.0.0.0', '::']

/** A gateway on all addresses accepts any IP address, but no other name, which its owner could point here. */
export function ownHosts(baseUrl: string, host: string | undefined): (header: string) => boolean {
  const names = new Set<string>(loopbackNames)
  for (const url of [baseUrl, urlOf(host ?? '')]) {
    const name = URL.parse(url)?.hostname
    if (name) names.add(name)
  }
  const anyAddress = everyAddress.includes(host ?? '')
  return (header) => {
    const name = URL.parse(`http://${header}`)?.hostname ?? ''
    if (names.has(name)) return true
    const address = name.replace(/^\[(.*)\]$/, '$1')
    return isLoopbackName(name) || (anyAddress && isIP(address) !== 0)
  }
}

export function urlOf(host: string): string {
  return `http://${isIP(host) === 6 ? `[${host}]` : host}`
}
