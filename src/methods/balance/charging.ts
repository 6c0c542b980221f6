// Charging the balance of the consumer who accepted: our own ledger is the rail, and settles at once.
import { keyedMutex } from '../../kernel/concurrency.ts'
import type { ChargeAnswer, ChargeOrder, ChargingRail } from '../../subscriptions/index.ts'
import type { BalanceDeps } from './deps.ts'
import { type BalancePaid, takeFromBalance } from './pay.ts'

/** The rail of subscriptions accepted by WALLET. */
export function balanceRail(deps: BalanceDeps): ChargingRail {
  // The account lets one at a time pass: those that wait need not hold a connection each.
  const taking = keyedMutex<BalancePaid>()
  return {
    blockedReason: async () => undefined,
    async charge({ subscription, operation }: ChargeOrder): Promise<ChargeAnswer> {
      const { id, consumerId } = subscription
      if (consumerId === undefined) throw new Error(`subscription ${id} is charged to nobody's balance`)
      const taken = await taking(String(consumerId), () => takeFromBalance(deps, operation, consumerId))
      return taken === 'insufficient_funds' ? { kind: 'declined', reason: taken } : { kind: 'settled' }
    },
    // Charging and settling are one statement: what is not settled was not charged.
    inquire: async () => ({ kind: 'not_found' }),
  }
}
