// The rails of a gateway: one driver for each contract.

import type { CreditorAccount, CreditTransfer, DirectDebit } from './bank.ts'
import type { CardAcquirer } from './card-acquirer.ts'
import type { MobileWallet } from './mobile-wallet.ts'
import type { OnlineWallet } from './online-wallet.ts'
import type { RailName } from './rail-name.ts'
import type { ReferenceNetwork, ReferenceNetworks } from './reference-network.ts'
import type { ThreeDSecure } from './three-d-secure.ts'

/** Every driver must pass the conformance suite of its contract in `test/rails`. */
interface DriverContracts extends Record<RailName, object> {
  readonly acquirer: CardAcquirer
  readonly threeDSecure: ThreeDSecure
  readonly mobileWallet: MobileWallet
  readonly onlineWallet: OnlineWallet
  readonly directDebit: DirectDebit
  readonly creditTransfer: CreditTransfer
  readonly referenceNetwork: ReferenceNetwork
}

export interface Rails extends DriverContracts {
  readonly creditorAccount: CreditorAccount
  readonly simulated?: SimulatedMoney | undefined
}

/** The rails of the whole gateway. Each merchant can have another reference network. */
export type GatewayRails = Omit<Rails, 'referenceNetwork'> & {
  readonly referenceNetworks: ReferenceNetworks
  /** Online wallets of other methods, by method code. */
  readonly onlineWallets?: Readonly<Record<string, OnlineWallet>>
}

interface Link {
  readonly text: string
  readonly path: string
}

interface SimulatedMoneyTexts {
  readonly banner: string
  readonly cards: Link
  readonly hints: Readonly<Partial<Record<string, string>>>
  readonly answerDebit: Link
  readonly answerPhone: Link
  readonly payReference: Link
}

export type SimulatedMoney = Readonly<Record<'pt' | 'en', SimulatedMoneyTexts>>
