// Public addresses: the only targets of callbacks in production (CONTRACT section 16).
import type { LookupAddress } from 'node:dns'
import type { Resolver } from 'node:dns/promises'
import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net'

/** IPv4 networks of the IANA special-purpose registries, and multicast. */
const privateIPv4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const

/** Special parts of the public IPv6 range: tunnels to IPv4, documentation, protocols. */
const specialIPv6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const

const refused = new BlockList()
for (const [network, prefix] of privateIPv4) refused.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of specialIPv6) refused.addSubnet(network, prefix, 'ipv6')

/** All other IPv6 addresses are loopback, local, multicast, mapped IPv4 or unassigned. */
const globalUnicastIPv6 = new BlockList()
globalUnicastIPv6.addSubnet('2000::', 3, 'ipv6')

export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !refused.check(address, 'ipv4')
  if (isIP(address) === 0 || address.includes('%')) return false
  return globalUnicastIPv6.check(address, 'ipv6') && !refused.check(address, 'ipv6')
}

/** Unknown and internal names get the same answer, so that nobody can map the internal network. */
export class AddressRefused extends Error {
  constructor(what: 'address' | 'name' = 'address') {
    super(
      what === 'address'
        ? 'callbacks go to public addresses only'
        : 'callbacks go to public addresses only, and this name has none',
    )
    this.name = 'AddressRefused'
  }
}

/** Connects only to addresses that it checked (DNS rebinding). System lookups could block the process. */
export function publicLookup(resolver: Pick<Resolver, 'resolve4' | 'resolve6'>): LookupFunction {
  return (hostname, options, callback) => {
    resolvePublic(resolver, hostname).then(
      (addresses) => {
        const [first] = addresses as [LookupAddress]
        if (options.all === true) callback(null, addresses)
        else callback(null, first.address, first.family)
      },
      (error) => callback(error, []),
    )
  }
}

async function resolvePublic(resolver: Pick<Resolver, 'resolve4' | 'resolve6'>, hostname: string) {
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  const found = [...addressesOf(v4, 4), ...addressesOf(v6, 6)].filter(({ address }) =>
    isPublicAddress(address),
  )
  if (found.length === 0) throw new AddressRefused('name')
  return found
}

function addressesOf(answer: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : []
}
