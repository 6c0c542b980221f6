// The timers of references: publication and end.
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
/** The most references for one call to the network, and for one statement. */
const batchSize = 1000
const leaseSeconds = 30
type StatedReference = DueReference & { readonly state: ReferenceState }

interface Context extends MultibancoDeps {
  readonly payee: ReferencePayee
}

interface Batch {
  readonly due: readonly DueReference[]
  readonly at: Instant
}

export function createReferenceTimers(deps: MultibancoDeps, payee: ReferencePayee): Worker {
  const context = { ...deps, payee }
  const { database, clock, onError } = deps
  let worked = 0
  let skipsNext = false
  let skipsNone = false

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
    async work(batch) {
      await workBatch(context, batch)
      worked += batch.due.length
    },
    onError,
  })

  return {
    ...worker,
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

async function workBatch(deps: Context, { due, at }: Batch): Promise<void> {
  const { database } = deps
  const states = due.map((one) => ({ ...one, state: stateOf(one.reference, one.operation, at) }))
  const ours = states.filter(({ reference }) => reference.number !== undefined)
  const theirs = states.filter(({ reference }) => reference.number === undefined)
  const unanswered = await Promise.all([workOurs(deps, ours), workTheirs(deps, theirs)])
  const waiting = new Set(unanswered.flat(2))
  const done = states.filter((one) => !waiting.has(one))
  await finishReferences(
    database,
    done.map(({ reference, state }) => ({ reference, dueAt: nextDueAt(reference, state, at) })),
    at,
  )
}

/** Returns the references for which the network gave no answer. */
async function workOurs(
  deps: Context,
  states: readonly StatedReference[],
): Promise<(readonly StatedReference[])[]> {
  const { networks } = deps
  if (states.length === 0) return []
  const network = networks.own
  if (network === undefined) {
    deps.onError(new Error('no reference network of our own is connected'))
    return [states]
  }
  return Promise.all([
    ifAnswered(deps, unpublishedOf(states), (references) => network.publish(references.map(published))),
    ifAnswered(
      deps,
      inState(states, 'expired'),
      (references) => network.unanswered(references),
      (references, payments) => expireAll(deps, references, payments),
    ),
    ifAnswered(deps, inState(states, 'deleted'), (references) => network.withdraw(references)),
  ])
}

/** Asks whether references were paid, because notices can be lost. */
async function workTheirs(
  deps: Context,
  states: readonly StatedReference[],
): Promise<(readonly StatedReference[])[]> {
  const { made } = deps.networks
  const paymentsOf = (references: readonly BankReference[]) => made.paymentsOf(references.map(({ id }) => id))
  const withdraw = async (references: readonly BankReference[]) => {
    await made.withdraw(references.map(({ id }) => id))
    return paymentsOf(references)
  }
  const receive = (_: unknown, payments: readonly ReferencePayment[]) => receiveAll(deps, payments)
  return Promise.all([
    ifAnswered(deps, inState(states, 'open'), paymentsOf, receive),
    ifAnswered(deps, inState(states, 'expired'), withdraw, (references, payments) =>
      expireAll(deps, references, payments),
    ),
    ifAnswered(deps, inState(states, 'deleted'), withdraw, receive),
  ])
}

async function receiveAll({ payee }: Context, payments: readonly ReferencePayment[]): Promise<void> {
  for (const payment of payments) await payee.receive(payment)
}

async function expireAll(
  deps: Context,
  references: readonly BankReference[],
  payments: readonly ReferencePayment[],
): Promise<void> {
  await receiveAll(deps, payments)
  crashPoint('payments in time counted, reference not ended')
  await Promise.all(references.map((reference) => expire(deps, reference)))
}

/** Returns the references without an answer. They are due again when their lease ends. */
async function ifAnswered<One extends DueReference, Answer>(
  { onError }: Context,
  ones: readonly One[],
  ask: (references: readonly BankReference[]) => Promise<Answer>,
  onAnswer?: (references: readonly BankReference[], answer: Answer) => Promise<void>,
): Promise<readonly One[]> {
  if (ones.length === 0) return []
  const references = ones.map(({ reference }) => reference)
  const answer = await callRail(() => ask(references).then((value) => ({ kind: 'answered', value }) as const))
  if (answer.kind === 'unknown') {
    onError(new Error(`the reference network did not answer: ${answer.why}`))
    return ones
  }
  await onAnswer?.(references, answer.value)
  return []
}

async function expire(
  { database, settle }: Context,
  { id, walletId, operationId }: BankReference,
): Promise<void> {
  if (operationId === undefined) return
  const operation = await findOperation(database, walletId, operationId)
  if (operation === undefined) return
  await settle(operation, {
    status: 'FAIL',
    guard: { kind: 'awaited_attempt', attemptId: id },
    error: 'expired',
  })
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
