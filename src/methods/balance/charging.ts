// Charging of a consumer's balance, from our own ledger.
import { keyedMutex } from '../../kernel/concurrency.ts'
import type { ChargeAnswer, ChargeOrder, ChargingRail } from '../../subscriptions/index.ts'
import type { BalanceDeps } from './deps.ts'
import { type BalancePaid, takeFromBalance } from './pay.ts'

export function balanceRail(deps: BalanceDeps): ChargingRail {
  // The account admits one charge at a time, so waiting charges need no connection.
  const taking = keyedMutex<BalancePaid>()
  return {
    blockedReason: async () => undefined,
    async charge({ subscription, operation }: ChargeOrder): Promise<ChargeAnswer> {
      const { id, consumerId } = subscription
      if (consumerId === undefined) throw new Error(`subscription ${id} is charged to nobody's balance`)
      const taken = await taking(String(consumerId), () => takeFromBalance(deps, operation, consumerId))
      return taken === 'insufficient_funds' ? { kind: 'declined', reason: taken } : { kind: 'settled' }
    },
    inquire: async () => ({ kind: 'not_found' }),
  }
}
