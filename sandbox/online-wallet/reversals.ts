// Reversals after a complaint of a customer, as PayPal makes them.
import { cents } from '../../src/kernel/money.ts'
import { isUuid } from '../../src/kernel/random.ts'
import { ok, type Result, refuse } from '../../src/kernel/result.ts'
import { after, second } from '../../src/kernel/time.ts'
import type { Notices } from '../../src/rails/index.ts'
import { createWorker, type Worker } from '../../src/storage/index.ts'
import type { Reversal } from './model.ts'
import type { OnlineWalletDeps } from './rail.ts'
import {
  claimDueReversals,
  findReversal,
  insertReversalOf,
  moveToGivenAgain,
  recordTaken,
} from './reversals-store.ts'
import { findLatestKey, findOrder } from './store.ts'

export const reversalReasonDefault = 'not_received'
const pollMs = 1000
const concurrency = 4
/** The pause before a notice is repeated, longer than the gateway needs for one. */
const tellAgainSeconds = 10

export interface Reversals {
  /**
   * Reverses the part of a payment that was not refunded. A repeated call sends the notice again. Refusals:
   * not_found; illegal_state.
   */
  reverse(operationId: string, reason: string): Promise<Result<Reversal>>
  /** Gives the amount back to the merchant. Refusals: not_found; illegal_state. */
  giveAgain(operationId: string): Promise<Result<Reversal>>
}

type Tells = Pick<Notices, 'dispute'>
type Deps = OnlineWalletDeps & { readonly onError: (error: unknown) => void }

export function createReversals(deps: Deps, notices: Tells): Reversals {
  const { database, clock } = deps
  const dueAt = () => after(clock.now(), tellAgainSeconds * second)

  async function keyOf(operationId: string): Promise<string | undefined> {
    return isUuid(operationId) ? findLatestKey(database, operationId.toLowerCase()) : undefined
  }

  function unknown(operationId: string) {
    return refuse('not_found', `the online wallet knows no order of operation ${operationId}`)
  }

  /** If the gateway does not accept the notice, the worker repeats it. */
  async function told(reversal: Reversal): Promise<Result<Reversal>> {
    await tell(deps, notices, reversal).catch(deps.onError)
    return ok(reversal)
  }

  return {
    async reverse(operationId, reason) {
      const key = await keyOf(operationId)
      if (key === undefined) return unknown(operationId)
      await insertReversalOf(database, key, reason, clock.now(), dueAt())
      const reversal = await findReversal(database, key)
      if (reversal?.state === 'taken') return told(reversal)
      const order = await findOrder(database, key, clock.now())
      const why =
        reversal === undefined
          ? `it is ${order?.state}, or fully refunded`
          : 'it was reversed, and returned to the merchant'
      return refuse('illegal_state', `the payment cannot be reversed: ${why}`)
    },
    async giveAgain(operationId) {
      const key = await keyOf(operationId)
      if (key === undefined) return unknown(operationId)
      await moveToGivenAgain(database, key, dueAt())
      const reversal = await findReversal(database, key)
      return reversal?.state === 'given_again'
        ? told(reversal)
        : refuse('illegal_state', 'the payment is not reversed: there is nothing to return')
    },
  }
}

export function createReversalNotices(deps: Deps, notices: Tells): Worker {
  const { database, clock, onError } = deps
  return createWorker({
    name: 'online wallet notices',
    database,
    pollMs,
    concurrency,
    claim: (limit) => {
      const now = clock.now()
      return claimDueReversals(database, now, after(now, tellAgainSeconds * second), limit)
    },
    work: (reversal) => tell(deps, notices, reversal),
    onError,
  })
}

async function tell({ database }: Deps, notices: Tells, reversal: Reversal): Promise<void> {
  const { key, amount, reason, state } = reversal
  const reinstated = cents(state === 'given_again' ? amount : 0n)
  await notices.dispute({ id: `onda-${key}`, key, withdrawn: cents(amount), reinstated, reason })
  await recordTaken(database, reversal)
}
