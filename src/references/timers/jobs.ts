// What happens to references later: the network is told of them, and at their last second they end.
import { crashPoint } from '../../kernel/crash-points.ts'
import { after, type Instant, second } from '../../kernel/time.ts'
import { findOperation } from '../../operations/index.ts'
import {
  callRail,
  type PublishedReference,
  type ReferencePayee,
  type ReferencePayment,
} from '../../rails/index.ts'
import { createWorker, type Worker } from '../../storage/index.ts'
import type { ReferencesDeps } from '../deps.ts'
import type { BankReference } from '../model.ts'
import { limitsFrom, overAt, standingOf } from '../rules.ts'
import { claimDueReferences, type DueReference, finishReferences } from './jobs-store.ts'

const pollMs = 1000
/** One word to the network and one statement serve so many references. */
const batchSize = 1000
const leaseSeconds = 30
/** Shorter than the lease. Real time: it bounds a network call. */
const networkTimeoutMs = 8000

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
    const expired = standings.filter(({ standing }) => standing === 'expired')
    const untold = open.filter(({ reference }) => reference.toldAt === undefined)
    // The end of its time, and a payment, the network knows by itself.
    const deleted = standings.filter(({ standing }) => standing === 'deleted')
    const unheard = await Promise.all([
      ifAnswered(untold, (references) => network.publish(references.map(published))),
      ifAnswered(expired, (references) => network.unanswered(references), expireAll),
      ifAnswered(deleted, (references) => network.withdraw(references)),
    ])
    const waiting = new Set(unheard.flat())
    const done = standings.filter((one) => !waiting.has(one))
    await finishReferences(
      database,
      done.map(({ reference, standing }) => ({
        reference,
        dueAt: standing === 'open' && reference.expires !== undefined ? overAt(reference.expires) : undefined,
      })),
      at,
    )
    worked += due.length
  }

  /** Payments made in time count, also those that the network could not tell in time. */
  async function expireAll(
    references: readonly BankReference[],
    payments: readonly ReferencePayment[],
  ): Promise<void> {
    for (const payment of payments) await payee.receive(payment)
    crashPoint('payments in time counted, reference not ended')
    await Promise.all(references.map(expire))
  }

  /**
   * Speaks to the network of some references, and goes on with its answer; answers those it gave none about. They
   * stay due, and their turn comes again when their lease has run out.
   */
  async function ifAnswered<One extends DueReference, Answer>(
    ones: readonly One[],
    ask: (references: readonly BankReference[]) => Promise<Answer>,
    goOn?: (references: readonly BankReference[], answer: Answer) => Promise<void>,
  ): Promise<readonly One[]> {
    if (ones.length === 0) return []
    const references = ones.map(({ reference }) => reference)
    const answer = await callRail(
      () => ask(references).then((said) => ({ kind: 'said', said }) as const),
      networkTimeoutMs,
    )
    if (answer.kind === 'unclear') {
      deps.onError(new Error(`the reference network did not answer: ${answer.why}`))
      return ones
    }
    await goOn?.(references, answer.said)
    return []
  }

  async function expire({ id, walletId, operationId }: BankReference): Promise<void> {
    if (operationId === undefined) return
    const operation = await findOperation(database, walletId, operationId)
    if (operation === undefined) return
    await settle(operation, {
      status: 'FAIL',
      guard: { kind: 'awaited_attempt', attemptId: id },
      error: 'expired',
    })
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
