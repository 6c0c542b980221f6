// Dependencies of payment links.
import type { Checkouts } from '../checkouts/index.ts'
import type { Mail } from '../mail/index.ts'
import type { PageCore } from '../module.ts'
import type { SimulatedMoney } from '../rails/index.ts'
import type { Wallet } from '../wallets/index.ts'

export interface PaymentLinksDeps {
  readonly core: PageCore
  readonly wallets: { get(walletId: bigint): Promise<Wallet> }
  readonly checkouts: Pick<Checkouts, 'open' | 'void'>
  readonly mail: Pick<Mail, 'isConfigured' | 'addPaymentLink'>
  readonly simulated: SimulatedMoney | undefined
}
