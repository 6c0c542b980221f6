// The rails of production: each request goes over the connection of its merchant or the gateway, and what follows it over the same one.
import type { GatewayRails } from '../../rails/index.ts'
import { creditorAccountOf, creditTransferOf, directDebitOf } from './bank.ts'
import { acquirerOf, threeDSecureOf } from './cards.ts'
import { referenceNetworksOf } from './references.ts'
import { createRouter, type RouterDeps } from './routes.ts'
import { mobileWalletOf, onlineWalletOf } from './wallets.ts'

export { authenticatedCustomers } from './cards.ts'

/**
 * Rails that pick a connection. Before anything is sent, the key is noted with its connection (`rail_requests`): so an
 * inquiry reaches the provider that was asked, whatever was set meanwhile, and a key without a note was sent nowhere.
 */
export function createRailRouter(deps: RouterDeps): GatewayRails {
  const { connections } = deps
  const router = createRouter(deps)
  return {
    acquirer: acquirerOf(router, connections),
    threeDSecure: threeDSecureOf(router),
    mobileWallet: mobileWalletOf(router),
    onlineWallet: onlineWalletOf(router),
    directDebit: directDebitOf(router, connections),
    creditTransfer: creditTransferOf(router),
    referenceNetworks: referenceNetworksOf(router, connections),
    creditorAccount: creditorAccountOf(connections),
  }
}
