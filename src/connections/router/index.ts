// The rails of production: each request uses the connection of its wallet.
import type { GatewayRails } from '../../rails/index.ts'
import { creditorAccountOf, creditTransferOf, directDebitOf } from './bank.ts'
import { acquirerOf, threeDSecureOf } from './cards.ts'
import { referenceNetworksOf } from './references.ts'
import { createRouter, type RouterDeps } from './routes.ts'
import { mobileWalletOf, onlineWalletOf } from './wallets.ts'

export { authenticatedCustomers } from './cards.ts'
export { mobileWalletLacks, onlineWalletLacks } from './wallets.ts'

/**
 * Rails that choose a connection. They record each key with its connection before the first call. An inquiry
 * therefore reaches the same provider after a change, and a key without a record was never sent.
 */
export function createRailRouter(deps: RouterDeps): GatewayRails {
  const { connections } = deps
  const router = createRouter(deps)
  return {
    acquirer: acquirerOf(router, connections),
    threeDSecure: threeDSecureOf(router),
    mobileWallet: mobileWalletOf(router, connections),
    onlineWallet: onlineWalletOf(router, connections),
    directDebit: directDebitOf(router, connections),
    creditTransfer: creditTransferOf(router),
    referenceNetworks: referenceNetworksOf(router, connections),
    creditorAccount: creditorAccountOf(connections),
  }
}
