// Host names of this gateway, against DNS rebinding.
import { isIP } from 'node:net'
import { isLoopbackName, loopbackNames } from '../../kernel/values/web-address.ts'

const everyAddress = ['0.0.0.0', '::']

/** A gateway on all addresses accepts any IP address, but no other name: its owner can point it here. */
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

/** A page's address on `host`; IPv6 needs brackets. */
export function urlOf(host: string): string {
  return `http://${isIP(host) === 6 ? `[${host}]` : host}`
}
