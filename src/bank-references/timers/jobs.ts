// What happens to references later: they are published to the network, and end at their last second.
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
import type { BankReferencesDeps } from '../deps.ts'
import type { BankReference } from '../model.ts'
import { limitsFrom, overAt, stateOf } from '../rules.ts'
import { claimDueReferences, type DueReference, finishReferences } from './jobs-store.ts'

const pollMs = 1000
/** How many references one call to the network and one statement serve. */
const batchSize = 1000
const leaseSeconds = 30
/** Shorter than the lease. Real time: it bounds a network call. */
const networkTimeoutMs = 8000

export function createReferenceTimers(deps: BankReferencesDeps, payee: ReferencePayee): Worker {
  const { database, clock, network, settle } = deps
  let worked = 0
  /** Whether the next poll is skipped, so that references gather: one at a time, each would cost as much as making it. */
  let skipsNext = false
  let skipsNone = false

  /** Publishes what is open, withdraws what was deleted, ends what has expired, and sets the next due times. */
  async function workBatch({ due, at }: { due: readonly DueReference[]; at: Instant }): Promise<void> {
    const states = due.map((one) => ({ ...one, state: stateOf(one.reference, one.operation, at) }))
    const open = states.filter(({ state }) => state === 'open')
    const expired = states.filter(({ state }) => state === 'expired')
    const unpublished = open.filter(({ reference }) => reference.publishedAt === undefined)
    // Of expiry and payment the network knows by itself.
    const deleted = states.filter(({ state }) => state === 'deleted')
    const unanswered = await Promise.all([
      ifAnswered(unpublished, (references) => network.publish(references.map(published))),
      ifAnswered(expired, (references) => network.unanswered(references), expireAll),
      ifAnswered(deleted, (references) => network.withdraw(references)),
    ])
    const waiting = new Set(unanswered.flat())
    const done = states.filter((one) => !waiting.has(one))
    await finishReferences(
      database,
      done.map(({ reference, state }) => ({
        reference,
        dueAt: state === 'open' && reference.expires !== undefined ? overAt(reference.expires) : undefined,
      })),
      at,
    )
    worked += due.length
  }

  /** Payments made in time count, also those whose notice was late. */
  async function expireAll(
    references: readonly BankReference[],
    payments: readonly ReferencePayment[],
  ): Promise<void> {
    for (const payment of payments) await payee.receive(payment)
    crashPoint('payments in time counted, reference not ended')
    await Promise.all(references.map(expire))
  }

  /**
   * Asks the network about references, and handles its answer; returns those it did not answer about. They
   * stay due, and are tried again when their lease has run out.
   */
  async function ifAnswered<One extends DueReference, Answer>(
    ones: readonly One[],
    ask: (references: readonly BankReference[]) => Promise<Answer>,
    onAnswer?: (references: readonly BankReference[], answer: Answer) => Promise<void>,
  ): Promise<readonly One[]> {
    if (ones.length === 0) return []
    const references = ones.map(({ reference }) => reference)
    const answer = await callRail(
      () => ask(references).then((value) => ({ kind: 'answered', value }) as const),
      networkTimeoutMs,
    )
    if (answer.kind === 'unclear') {
      deps.onError(new Error(`the reference network did not answer: ${answer.why}`))
      return ones
    }
    await onAnswer?.(references, answer.value)
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
      if (skipsNext && !skipsNone) {
        skipsNext = false
        return []
      }
      const at = clock.now()
      const due = await claimDueReferences(database, at, after(at, leaseSeconds * second), batchSize)
      skipsNext = due.length < batchSize
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
      skipsNone = true
      try {
        await worker.runDue()
      } finally {
        skipsNone = false
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
