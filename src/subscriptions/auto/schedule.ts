// The worker that makes the charges of each cycle.
import { crashPoint } from '../../kernel/crash-points.ts'
import { newId } from '../../kernel/random.ts'
import { after, second } from '../../kernel/time.ts'
import { withinLimits } from '../../operations/index.ts'
import { batched, createWorker, type Worker } from '../../storage/index.ts'
import type { SubscriptionsDeps } from '../deps.ts'
import { chargeEvent } from '../events.ts'
import type { NewCharge, Subscription } from '../model.ts'
import { findSubscription } from '../store.ts'
import type { AutoCharge } from './model.ts'
import { type Attempt, closedOutcome, nextStep, numberedReference } from './rules.ts'
import {
  type Charged,
  chargeCycles,
  claimDueAutoCharges,
  type PlannedCharge,
  type Postponed,
  postponeAll,
} from './store.ts'

const pollMs = 1 * second
/** Longer than the two statements of a step take. */
const leaseMs = 30 * second
/** As many as one batched statement writes. Their payments follow at the pace of the merchants' own charges. */
const schedulesAtOnce = 128

/** Shared by several processes: the lease, and the key of each attempt, let one of them charge. */
export function createAutoChargeWorker(deps: SubscriptionsDeps): Worker {
  const { database, clock, random, wallets, methods, callbacks, onError } = deps
  const aggregateOf = ({ auto }: { readonly auto: AutoCharge }) => auto.subscriptionId
  const write = batched<PlannedCharge, Charged>({
    database,
    aggregateOf,
    write: (rows) => chargeCycles(database, rows),
  })
  const postpone = batched<Postponed, undefined>({
    database,
    aggregateOf,
    write: (rows) => postponeAll(database, rows),
  })

  async function refusalOf(subscription: Subscription, charge: NewCharge): Promise<string | undefined> {
    const wallet = await wallets.get(charge.walletId)
    if (wallet.suspendedAt !== undefined) return 'suspended'
    const { amount } = charge
    const fits = await withinLimits({ database, clock }, wallet, { amount, field: 'auto_charge.amount' })
    if (!fits.ok) return fits.refusal.kind
    const allowed = await methods.of(subscription.method)?.recurring?.allows?.(subscription, amount)
    return allowed === undefined || allowed.ok ? undefined : allowed.refusal.kind
  }

  async function charge(auto: AutoCharge, subscription: Subscription, attempt: Attempt): Promise<void> {
    const at = clock.now()
    const made: NewCharge = {
      id: newId(at, random),
      walletId: auto.walletId,
      subscriptionId: auto.subscriptionId,
      operationId: newId(at, random),
      amount: attempt.amount,
      currency: subscription.currency,
      extInvoiceId: numberedReference(auto.extInvoiceId, attempt.number),
      items: auto.items,
      ...{
        number: attempt.number,
        attempt: attempt.attempt,
        retryOn: attempt.retryOn,
        nextOn: attempt.nextOn,
      },
      createdAt: at,
    }
    const error = await refusalOf(subscription, made)
    const wallet = await wallets.get(auto.walletId)
    const failure = chargeEvent(made, subscription, {
      ...{ id: newId(at, random), wallet, event: 'FAIL', at },
      error: error ?? 'period_total_reached',
    })
    crashPoint('cycle due, not charged')
    const outcome = await write({ auto, charge: made, attempt, error, failure })
    crashPoint('charge accepted, answer not sent')
    if (outcome === 'failed') callbacks.wake()
  }

  return createWorker<AutoCharge>({
    name: 'automatic charges',
    database,
    pollMs,
    concurrency: schedulesAtOnce,
    claim(limit) {
      const now = clock.now()
      return claimDueAutoCharges(database, now, after(now, leaseMs), limit)
    },
    async work(auto) {
      const subscription = await findSubscription(database, auto.walletId, auto.subscriptionId)
      if (subscription === undefined)
        throw new Error(`schedule of unknown subscription ${auto.subscriptionId}`)
      if (subscription.status !== 'APPROVED') {
        await postpone({ auto, outcome: closedOutcome(auto), ends: true, dueAt: undefined })
        return
      }
      const step = nextStep(auto, subscription, clock.now())
      if (step.kind === 'charge') return charge(auto, subscription, step.attempt)
      const ends = step.kind === 'end'
      const dueAt = step.kind === 'wait' ? step.dueAt : undefined
      await postpone({ auto, outcome: step.outcome, ends, dueAt })
    },
    onError,
  })
}
