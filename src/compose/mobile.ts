// Wires mandates and payments by phone, and the network's notices.

import { createMandates, type Mandates, type SubscriptionMandates } from '../mandates/index.ts'
import { createMobilePayments, type MobilePayments } from '../mobile-payments/index.ts'
import type { FindWallet, Settle } from '../operations/index.ts'
import type { MobileWallet, MobileWalletNotice } from '../rails/index.ts'
import type { Runtime } from '../runtime.ts'
import type { Wallet } from '../wallets/index.ts'

export interface Mobile {
  readonly mandates: Mandates
  readonly payments: MobilePayments
  /** Takes the network's notices; false where none of its customers was asked under the key. */
  notice(notice: MobileWalletNotice): Promise<boolean>
}

export function composeMobile(
  { config, database, clock, random }: Runtime,
  modules: {
    readonly wallets: { get(walletId: bigint): Promise<Wallet>; readonly findByPublicId: FindWallet }
    readonly mobileWallet: MobileWallet
    readonly settle: Settle
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
    async notice({ kind, key }) {
      if (kind === 'payment') return payments.onNotice(key)
      await mandates.onNotice(key)
      return true
    },
  }
}
