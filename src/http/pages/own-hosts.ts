// Under which names the gateway is reached: a request under any other name may come from another site (DNS rebinding), and is refused.
import { isIP } from 'node:net'
import { isLoopbackName, loopbackNames } from '../../kernel/values/web-address.ts'

/** Addresses that mean every address of the machine. */
const everyAddress = ['0.0.0.0', '::']

/**
 * Whether a Host header names this gateway: the host of its base URL, the one it listens on, or this machine by its
 * loopback names. Where it listens on every address, each address is its own; a name never is, because its owner
 * can point it here and have a browser take his page for ours (DNS rebinding).
 *
 * @param host the address that it listens on
 */
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

/** The address of a page on `host`: IPv6 stands in brackets there. */
export function urlOf(host: string): string {
  return `http://${isIP(host) === 6 ? `[${host}]` : host}`
}
