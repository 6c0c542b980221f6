// Dependencies of checkouts.
import type { MethodTable } from '../methods/method.ts'
import type { PageCore } from '../module.ts'
import type { FindWallet, Settle, ShowOperations } from '../operations/index.ts'
import type { Locale } from '../pages/index.ts'
import type { SimulatedMoney } from '../rails/index.ts'
import type { Subscriptions } from '../subscriptions/index.ts'
import type { Wallet } from '../wallets/index.ts'
import type { Checkout } from './model.ts'

export type BackTo = (
  checkout: Pick<Checkout, 'operation'>,
  url: string,
  locale: Locale,
) => string | undefined

export interface CheckoutsDeps {
  readonly core: PageCore
  readonly wallets: { get(walletId: bigint): Promise<Wallet>; readonly findByPublicId: FindWallet }
  readonly settle: Settle
  readonly show: ShowOperations
  readonly subscriptions: Subscriptions
}

export interface CheckoutPagesDeps extends CheckoutsDeps {
  readonly methods: MethodTable
  readonly backTo: BackTo
  readonly simulated: SimulatedMoney | undefined
}
