// Wires what asks phones: mandates and payments, and the word of the network that something happened.
import type { Ground } from '../ground.ts'
import { createMandates, type Mandates, type SubscriptionMandates } from '../mandates/index.ts'
import { createMobilePayments, type MobilePayments } from '../mobile-payments/index.ts'
import type { FindWallet, Settle, Watch } from '../operations/index.ts'
import type { MobileWallet, WalletNews } from '../rails/index.ts'
import type { Wallet } from '../wallets/index.ts'

export interface Mobile {
  readonly mandates: Mandates
  readonly payments: MobilePayments
  readonly heard: WalletNews
}

export function composeMobile(
  { config, database, clock, random }: Ground,
  modules: {
    readonly wallets: { get(walletId: bigint): Promise<Wallet>; readonly findByPublicId: FindWallet }
    readonly mobileWallet: MobileWallet
    readonly settle: Settle
    readonly watch: Watch
    readonly subscriptions: SubscriptionMandates
    readonly callbacks: { wake(): void }
    readonly onError: (error: unknown) => void
  },
): Mobile {
  const deps = { ...modules, database, clock, random, mode: config.mode }
  const mandates = createMandates(deps)
  const payments = createMobilePayments({ ...deps, mandates })
  return {
    mandates,
    payments,
    heard: ({ kind, key }) => (kind === 'mandate' ? mandates.heard(key) : payments.heard(key)),
  }
}
