// Charging the balance of the consumer who accepted: our own ledger is the rail, and settles at once.
import type { Operation } from '../../operations/index.ts'
import type { ChargeAnswer, ChargeOrder, ChargingRail } from '../../subscriptions/index.ts'

export interface BalanceRailDeps {
  /** Takes an open payment from the consumer's balance and settles it, in one statement; repeated, nothing again. */
  takeFromBalance(
    operation: Operation,
    consumerId: bigint,
  ): Promise<'paid' | 'insufficient_funds' | 'too_late'>
}

/** The rail of subscriptions accepted by WALLET. */
export function createBalanceRail({ takeFromBalance }: BalanceRailDeps): ChargingRail {
  return {
    obstacle: async () => undefined,
    async charge({ subscription, operation }: ChargeOrder): Promise<ChargeAnswer> {
      const { id, consumerId } = subscription
      if (consumerId === undefined) throw new Error(`subscription ${id} is charged to nobody's balance`)
      const taken = await takeFromBalance(operation, consumerId)
      return taken === 'insufficient_funds' ? { kind: 'declined', reason: taken } : { kind: 'settled' }
    },
    // Charging and settling are one statement: what is not settled was not charged.
    inquire: async () => ({ kind: 'not_found' }),
  }
}
