// What happens to references later: the network is told of them, and at their last second they end.
import { after, type Instant, second } from '../kernel/time.ts'
import { findOperation } from '../operations/index.ts'
import type { PublishedReference, ReferencePayee } from '../rails/index.ts'
import { createWorker, type Worker } from '../storage/index.ts'
import type { ReferencesDeps } from './deps.ts'
import { claimDueReferences, type DueReference, finishReferences } from './jobs-store.ts'
import type { BankReference } from './model.ts'
import { limitsFrom, overAt, standingOf } from './rules.ts'

const pollMs = 1000
/** One word to the network and one statement serve so many references. */
const batchSize = 1000
const leaseSeconds = 30

export function createReferenceTimers(deps: ReferencesDeps, payee: ReferencePayee): Worker {
  const { database, clock, network, settle } = deps
  let worked = 0
  /** Between two polls references gather: one by one they would cost their makers as much as the making. */
  let resting = false
  let hurried = false

  /** Tells the network of what is open, takes back what is not, ends what is over, and sets the next time. */
  async function workBatch({ due, at }: { due: readonly DueReference[]; at: Instant }): Promise<void> {
    const standings = due.map((one) => ({ ...one, standing: standingOf(one.reference, one.operation, at) }))
    const open = standings.filter(({ standing }) => standing === 'open')
    const expired = standings
      .filter(({ standing }) => standing === 'expired')
      .map(({ reference }) => reference)
    const untold = open.filter(({ reference }) => reference.toldAt === undefined)
    if (untold.length > 0) await network.publish(untold.map(({ reference }) => published(reference)))
    // Payments made in time count, also those that the network could not tell in time.
    if (expired.length > 0) {
      for (const payment of await network.unanswered(expired)) await payee.receive(payment)
      await Promise.all(expired.map(expire))
    }
    // The end of its time, and a payment, the network knows by itself.
    const deleted = standings.filter(({ standing }) => standing === 'deleted')
    if (deleted.length > 0) await network.withdraw(deleted.map(({ reference }) => reference))
    await finishReferences(
      database,
      standings.map(({ reference, standing }) => ({
        reference,
        dueAt: standing === 'open' && reference.expires !== undefined ? overAt(reference.expires) : undefined,
      })),
      at,
    )
    worked += due.length
  }

  async function expire({ id, walletId, operationId }: BankReference): Promise<void> {
    if (operationId === undefined) return
    const operation = await findOperation(database, walletId, operationId)
    if (operation === undefined) return
    await settle(operation, { status: 'FAIL', guard: { kind: 'standing', attemptId: id }, error: 'expired' })
  }

  const worker = createWorker({
    name: 'references',
    database,
    pollMs,
    concurrency: 1,
    async claim() {
      if (resting && !hurried) {
        resting = false
        return []
      }
      const at = clock.now()
      const due = await claimDueReferences(database, at, after(at, leaseSeconds * second), batchSize)
      resting = due.length < batchSize
      return due.length === 0 ? [] : [{ due, at }]
    },
    work: workBatch,
    onError: deps.onError,
  })

  return {
    ...worker,
    /** Counts references, which are worked in batches. */
    async runDue() {
      const before = worked
      hurried = true
      try {
        await worker.runDue()
      } finally {
        hurried = false
      }
      return worked - before
    },
  }
}

function published(reference: BankReference): PublishedReference {
  const { entity, ref, kind, amountMin, amountMax, starts, expires } = reference
  return {
    entity,
    ref,
    payableOnce: kind !== 'recurring',
    amountMin,
    amountMax,
    starts,
    expires,
    limitsFrom: limitsFrom(reference),
  }
}
