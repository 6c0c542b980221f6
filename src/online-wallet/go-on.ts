// Going on with an attempt, whoever brings news of it: the wallet itself is asked, never the browser believed.
import { after, backoffMs, second } from '../kernel/time.ts'
import { beginApproval, endApproval, findOperation, type Operation } from '../operations/index.ts'
import { callRail, type WalletAnswer } from '../rails/index.ts'
import { type OnlineWalletDeps, railTimeoutMs } from './deps.ts'
import type { AttemptState, WalletAttempt } from './model.ts'
import { endAttempt, postponeAttempt, recordTaking } from './store.ts'

/** When an unclear answer is asked about first, longer than the call itself may take; then doubled each time. */
const firstInquirySeconds = 10
const inquirySecondsMax = 300

type Answer = WalletAnswer | { readonly kind: 'not_found' }
type Step = (deps: OnlineWalletDeps, attempt: WalletAttempt, operation: Operation) => Promise<void>

/** Asks the wallet where the attempt stands, and does what is next. */
export async function goOn(deps: OnlineWalletDeps, attempt: WalletAttempt): Promise<void> {
  const operation = await findOperation(deps.database, attempt.walletId, attempt.operationId)
  if (operation === undefined) throw new Error(`attempt ${attempt.id} has no operation`)
  await steps[attempt.state](deps, attempt, operation)
}

const over: Step = async () => {}
const steps: Record<AttemptState, Step> = {
  OPEN: lookWhetherAgreed,
  TAKING: async (deps, attempt, operation) =>
    conclude(deps, attempt, operation, await callRail(() => deps.rail.inquire(attempt.id), railTimeoutMs)),
  PAID: over,
  DECLINED: over,
  ABANDONED: over,
}

async function lookWhetherAgreed(
  deps: OnlineWalletDeps,
  attempt: WalletAttempt,
  operation: Operation,
): Promise<void> {
  const isOurs = operation.status === 'PENDING' && operation.attemptId === attempt.id
  if (!isOurs) return end(deps, attempt, 'ABANDONED')
  const answer = await callRail(() => deps.rail.inquire(attempt.id), railTimeoutMs)
  switch (answer.kind) {
    case 'agreed':
    case 'paid':
      return take(deps, attempt, operation)
    case 'declined':
      return end(deps, attempt, 'DECLINED', answer.reason)
    case 'not_found':
      return end(deps, attempt, 'DECLINED', 'wallet_unavailable')
    case 'open':
    case 'unclear':
      return askAgain(deps, attempt)
  }
}

/** The approval is begun first, so that no other method can be chosen while money moves. */
async function take(deps: OnlineWalletDeps, attempt: WalletAttempt, operation: Operation): Promise<void> {
  const { database, clock } = deps
  const now = clock.now()
  const dueAt = after(now, firstInquirySeconds * second)
  const begun = await database
    .transaction(async (tx) => {
      // The operation before the attempt, as the customer's next attempt does: else the two wait for each other.
      const ours = await beginApproval(tx, referenceOf(attempt), now)
      const marked = ours && (await recordTaking(tx, attempt, now, dueAt))
      if (ours && !marked) throw new TakenBefore()
      return ours
    })
    .catch((error: unknown) => {
      if (error instanceof TakenBefore) return false
      throw error
    })
  // Somebody else takes it, or the customer pays another way; then the next look ends it.
  if (!begun) return
  const taking = { ...attempt, state: 'TAKING' } as const
  const answer = await callRail((signal) => deps.rail.capture(attempt.id, signal), railTimeoutMs)
  await conclude(deps, taking, operation, answer)
}

/** Takes back the approval that was begun for an attempt which is not open any more. */
class TakenBefore extends Error {}

/** Settles what an explicit answer decided; the operation first, so that a crash in between repeats both. */
async function conclude(
  deps: OnlineWalletDeps,
  attempt: WalletAttempt,
  operation: Operation,
  answer: Answer,
): Promise<void> {
  const { database, clock, settle, rail } = deps
  switch (answer.kind) {
    case 'paid': {
      const guard = { kind: 'attempt', attemptId: attempt.id } as const
      await settle({ ...operation, method: 'PAYPAL' }, { status: 'COMPLETED', guard })
      const { reference } = answer
      return endAttempt(database, attempt, { from: 'TAKING', state: 'PAID', reference }, clock.now())
    }
    case 'declined':
      await endApproval(database, referenceOf(attempt), clock.now())
      return end(deps, attempt, 'DECLINED', answer.reason)
    case 'agreed':
      // Our request to take it never arrived; under the same key it can be sent again.
      if (attempt.inquiries > 0) await callRail((signal) => rail.capture(attempt.id, signal), railTimeoutMs)
      return askAgain(deps, attempt)
    case 'open':
    case 'not_found':
    case 'unclear':
      return askAgain(deps, attempt)
  }
}

function referenceOf({ walletId, operationId, id }: WalletAttempt) {
  return { walletId, operationId, attemptId: id }
}

async function end(
  { database, clock }: OnlineWalletDeps,
  attempt: WalletAttempt,
  state: 'DECLINED' | 'ABANDONED',
  failure?: string,
): Promise<void> {
  const from = attempt.state === 'TAKING' ? 'TAKING' : 'OPEN'
  await endAttempt(database, attempt, { from, state, failure }, clock.now())
}

async function askAgain({ database, clock }: OnlineWalletDeps, attempt: WalletAttempt): Promise<void> {
  const pause = backoffMs(firstInquirySeconds * second, attempt.inquiries, inquirySecondsMax * second)
  await postponeAttempt(database, attempt, after(clock.now(), pause))
}
