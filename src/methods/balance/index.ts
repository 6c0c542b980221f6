// WALLET: the balance that a consumer has with this gateway.
import type { Balances } from '../../balances/index.ts'
import { approvedAtOnce } from '../../operations/index.ts'
import type { Subscriptions } from '../../subscriptions/index.ts'
import type { PaymentMethod } from '../method.ts'
import { createBalanceRail } from './charging.ts'
import { balance } from './facts.ts'
import { balancePage } from './page.ts'
import { balanceSubscribing } from './subscribing.ts'

export function createBalanceMethod(
  balances: Pick<Balances, 'pay' | 'consumerOf' | 'take'>,
  subscriptions: Pick<Subscriptions, 'keepConsumer' | 'acceptFromBalance'>,
): PaymentMethod {
  return {
    code: balance.code,
    page: balancePage(balances, subscriptions),
    subscribing: balanceSubscribing(balances, subscriptions),
    // From one balance to another: our own ledger is the rail.
    rail: { inquire: approvedAtOnce, refund: approvedAtOnce },
    charging: createBalanceRail({ takeFromBalance: balances.take }),
  }
}
