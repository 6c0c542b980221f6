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
import type { MultibancoDeps } from './deps.ts'
import type { BankReference, ReferenceState } from './model.ts'
import { limitsFrom, nextDueAt, stateOf } from './rules.ts'
import { claimDueReferences, type DueReference, finishReferences } from './timers-store.ts'

const pollMs = 1000
/** How many references one call to the network and one statement serve. */
const batchSize = 1000
const leaseSeconds = 30
/** Shorter than the lease. Real time: it bounds a network call. */
const networkTimeoutMs = 8000

type StatedReference = DueReference & { readonly state: ReferenceState }

export function createReferenceTimers(deps: MultibancoDeps, payee: ReferencePayee): Worker {
  const { database, clock, networks, settle } = deps
  let worked = 0
  /** Whether the next poll is skipped, so that references gather: one at a time, each would cost as much as making it. */
  let skipsNext = false
  let skipsNone = false

  /** Publishes what is open, withdraws what was deleted, ends what has expired, and sets the next due times. */
  async function workBatch({ due, at }: { due: readonly DueReference[]; at: Instant }): Promise<void> {
    const states = due.map((one) => ({ ...one, state: stateOf(one.reference, one.operation, at) }))
    const ours = states.filter(({ reference }) => reference.number !== undefined)
    const theirs = states.filter(({ reference }) => reference.number === undefined)
    const unanswered = await Promise.all([workOurs(ours), workTheirs(theirs)])
    const waiting = new Set(unanswered.flat(2))
    const done = states.filter((one) => !waiting.has(one))
    await finishReferences(
      database,
      done.map(({ reference, state }) => ({ reference, dueAt: nextDueAt(reference, state, at) })),
      at,
    )
    worked += due.length
  }

  /** Those of our own entity; returns those about which the network did not answer. */
  async function workOurs(states: readonly StatedReference[]): Promise<(readonly StatedReference[])[]> {
    if (states.length === 0) return []
    const network = networks.own
    if (network === undefined) {
      deps.onError(new Error('no reference network of our own is connected'))
      return [states]
    }
    // Of expiry and payment the network knows by itself.
    return Promise.all([
      ifAnswered(unpublishedOf(states), (references) => network.publish(references.map(published))),
      ifAnswered(inState(states, 'expired'), (references) => network.unanswered(references), expireAll),
      ifAnswered(inState(states, 'deleted'), (references) => network.withdraw(references)),
    ])
  }

  /** Those that providers made: each is asked what was paid, because notices may be lost, and ends with us. */
  async function workTheirs(states: readonly StatedReference[]): Promise<(readonly StatedReference[])[]> {
    const { made } = networks
    const keysOf = (references: readonly BankReference[]) => references.map(({ id }) => id)
    return Promise.all([
      ifAnswered(
        inState(states, 'open'),
        (references) => made.paymentsOf(keysOf(references)),
        (_, payments) => receiveAll(payments),
      ),
      ifAnswered(
        inState(states, 'expired'),
        async (references) => {
          await made.withdraw(keysOf(references))
          return made.paymentsOf(keysOf(references))
        },
        expireAll,
      ),
      ifAnswered(
        inState(states, 'deleted'),
        async (references) => {
          await made.withdraw(keysOf(references))
          return made.paymentsOf(keysOf(references))
        },
        (_, payments) => receiveAll(payments),
      ),
    ])
  }

  async function receiveAll(payments: readonly ReferencePayment[]): Promise<void> {
    for (const payment of payments) await payee.receive(payment)
  }

  /** Payments made in time count, also those whose notice was late. */
  async function expireAll(
    references: readonly BankReference[],
    payments: readonly ReferencePayment[],
  ): Promise<void> {
    await receiveAll(payments)
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
    if (answer.kind === 'unknown') {
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

function inState(states: readonly StatedReference[], wanted: ReferenceState): readonly StatedReference[] {
  return states.filter(({ state }) => state === wanted)
}

function unpublishedOf(states: readonly StatedReference[]): readonly StatedReference[] {
  return inState(states, 'open').filter(({ reference }) => reference.publishedAt === undefined)
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
