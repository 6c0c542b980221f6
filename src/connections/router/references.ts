// Reference networks over connections.
import type { ProviderReferences, ReferenceNetwork, ReferenceNetworks } from '../../rails/index.ts'
import type { Connections, HeldConnection } from '../connections.ts'
import { noPayment, RailNotServed, type Route, type Router } from './routes.ts'

/** A provider's references use the connection of their key, own numbers the gateway's entity. */
export function referenceNetworksOf(router: Router, connections: Connections): ReferenceNetworks {
  const name = 'referenceNetwork'
  const { start, follow } = router.over(name)
  const networkOf = (connection: HeldConnection): ReferenceNetwork => router.railOf(name, connection)

  async function overEach<Answer>(
    keys: readonly string[],
    routeOf: (key: string) => Promise<Route>,
    ask: (network: ProviderReferences, keys: readonly string[]) => Promise<Answer>,
  ): Promise<Answer[]> {
    const routes = await Promise.all(keys.map(routeOf))
    const byConnection = new Map<HeldConnection, string[]>()
    for (const [index, route] of routes.entries()) {
      if (typeof route === 'string') continue
      const known = byConnection.get(route.connection) ?? []
      byConnection.set(route.connection, [...known, keys[index] as string])
    }
    return Promise.all(
      [...byConnection].map(([connection, own]) => ask(ofProvider(networkOf(connection)), own)),
    )
  }

  return {
    serving(walletId) {
      const connection = connections.serving(name, walletId)
      const network = connection && networkOf(connection)
      if (network === undefined || network.numbering === 'ours') return network
      return {
        ...{ numbering: 'theirs', limits: network.limits },
        create: (request, signal) =>
          start(request, signal, (asked) => ofProvider(asked).create(request, signal), {
            kind: 'declined',
            reason: 'withdrawn',
          }),
        ...this.made,
      }
    },
    get own() {
      const own = connections.lastServing(name, (connection) => networkOf(connection).numbering === 'ours')
      const network = own && networkOf(own)
      return network?.numbering === 'ours' ? network : undefined
    },
    made: {
      // If a key was never sent, it is cancelled.
      async withdraw(keys) {
        const cancelled = (key: string) => router.cancelled(name, key)
        await overEach(keys, cancelled, (network, own) => network.withdraw(own))
      },
      async paymentsOf(keys) {
        const payments = await overEach(keys, router.routeOf, async (network, own) =>
          (await network.paymentsOf(own)).filter(({ key }) => key !== undefined && own.includes(key)),
        )
        return payments.flat()
      },
      refundPayment: (refund, signal) =>
        follow(
          { key: refund.key, original: refund.of },
          signal,
          async (network) => (await ofProvider(network).refundPayment?.(refund, signal)) ?? notPossible,
          noPayment,
        ),
    },
  }
}

const notPossible = { kind: 'declined', reason: 'not_possible' } as const

function ofProvider(network: ReferenceNetwork): ProviderReferences {
  if (network.numbering !== 'theirs') throw new RailNotServed('referenceNetwork')
  return network
}
