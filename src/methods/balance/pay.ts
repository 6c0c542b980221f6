// Payment from a consumer's balance.

import { keyedMutex } from '../../kernel/concurrency.ts'
import { crashPoint } from '../../kernel/crash-points.ts'
import { newId } from '../../kernel/random.ts'
import { ok, type Result } from '../../kernel/result.ts'
import type { Core } from '../../module.ts'
import { chooseAttempt, type SettleFunded } from '../../operations/for-methods.ts'
import type { Operation } from '../../operations/index.ts'
import type { Executor } from '../../storage/index.ts'
import type { ChargeAnswer, ChargeOrder, ChargingRail } from '../../subscriptions/index.ts'
import type { Wallet } from '../../wallets/index.ts'
import { balance } from './facts.ts'
import { recordBalancePayment } from './store.ts'

export type BalancePaid = 'paid' | 'insufficient_funds' | 'too_late'

export interface Credentials {
  readonly email: string
  readonly pin: string
}

export type AlsoPaid = (tx: Executor, consumerId: bigint) => Promise<void>

/**
 * Pays an open operation after the PIN check.
 * Refusals: authentication_failed, pin_retries_exhausted.
 */
export async function payFromBalance(
  deps: BalanceDeps,
  operation: Operation,
  consumer: Credentials,
  also?: AlsoPaid,
): Promise<Result<BalancePaid>> {
  const known = await deps.wallets.logInConsumer(consumer.email, consumer.pin)
  return known.ok ? ok(await payAs(deps, operation, known.value, also)) : known
}

async function payAs(
  { database, clock, random, settleFunded }: BalanceDeps,
  operation: Operation,
  consumerId: bigint,
  also?: AlsoPaid,
): Promise<BalancePaid> {
  const now = clock.now()
  const attemptId = newId(now, random)
  const { walletId, id: operationId, amount } = operation
  const attempt = { id: attemptId, walletId, operationId, consumerId, amount }
  if (!(await chooseAttempt(database, { walletId, operationId, attemptId }, balance.code, now)))
    return 'too_late'
  crashPoint('customer data kept, nothing begun')
  const outcome = await settleFunded({
    operation,
    method: balance.code,
    attemptId,
    payer: { walletId: consumerId, kind: 'consumer' },
    async also(tx) {
      await recordBalancePayment(tx, attempt, now)
      await also?.(tx, consumerId)
    },
  })
  if (outcome.kind === 'settled') return 'paid'
  if (outcome.kind === 'insufficient_funds') {
    await recordBalancePayment(database, { ...attempt, failure: 'insufficient_funds' }, now)
  }
  return outcome.kind
}

/** Charges a balance for which its consumer has agreed before. A repeated call charges nothing. */
async function takeFromBalance(
  { clock, settleFunded }: BalanceDeps,
  operation: Operation,
  consumerId: bigint,
): Promise<BalancePaid> {
  const { walletId, id, amount } = operation
  const payment = { id, walletId, operationId: id, consumerId, amount }
  const outcome = await settleFunded({
    operation,
    method: balance.code,
    attemptId: id,
    payer: { walletId: consumerId, kind: 'consumer' },
    also: (tx) => recordBalancePayment(tx, payment, clock.now()),
  })
  return outcome.kind === 'settled' ? 'paid' : outcome.kind
}

export function balanceRail(deps: BalanceDeps): ChargingRail {
  // An account takes one charge at a time. Here the others wait without a database connection.
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

export interface BalanceDeps extends Pick<Core, 'database' | 'clock' | 'random'> {
  readonly settleFunded: SettleFunded
  readonly wallets: {
    get(walletId: bigint): Promise<Wallet>
    logInConsumer(email: string, pin: string): Promise<Result<bigint>>
  }
  readonly callbacks: { wake(): void }
}
