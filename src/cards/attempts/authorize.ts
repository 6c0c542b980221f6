// Asking the acquirer: begun in one transaction, called between transactions, finished by what it said.
import { crashPoint } from '../../kernel/crash-points.ts'
import { after, type Instant, second } from '../../kernel/time.ts'
import {
  type AcquirerAnswer,
  callRail,
  cancelAtAcquirer,
  isCancelled,
  type MayStart,
  type NotReceived,
  startInTime,
} from '../../rails/index.ts'
import type { CardsContext } from '../deps.ts'
import type { AttemptState, CardAttempt } from '../model.ts'
import { renewAttempt } from './renew-store.ts'
import { openCard } from './sealed-card.ts'
import { finishAttempt, postponeAttempt, recordAuthorizing } from './store.ts'

/** After this an acquirer's silence is an unclear answer. Real time: it bounds a network call. */
const acquirerTimeoutMs = 8000
/** When an unclear answer is asked about first; longer than the call itself may take. */
const firstInquirySeconds = 10
/**
 * A request that the acquirer has not received by then is not sent any more. Claiming the attempt for this inquiry
 * takes it over: whoever was held up before calling finds that out ({@link renewAttempt}), and does not call.
 */
export const notReceivedInquiriesMax = 4
const verified: AcquirerAnswer = { kind: 'approved', reference: '', approvalCode: '' }

/**
 * Has an authenticated attempt decided by the acquirer. Does nothing when the attempt was replaced, or is
 * being decided already. An unclear answer leaves everything as it is; the resolver asks until it knows.
 */
export async function authorize(context: CardsContext, attempt: CardAttempt): Promise<void> {
  const { database, clock, owners } = context
  const vcode = context.securityCodes.take(attempt.id)
  const now = clock.now()
  const begun = await database
    .transaction(async (tx) => {
      // The operation before the attempt, as the customer's next attempt does: else the two wait for each other.
      const ours = await owners[attempt.owner].beginApproval(tx, attempt)
      const marked = await recordAuthorizing(tx, attempt, now, inquiryDue(now))
      if (ours && !marked) throw new DecidedBefore()
      return marked ? (ours ? 'begun' : 'replaced') : 'taken'
    })
    .catch((error: unknown) => {
      if (error instanceof DecidedBefore) return 'taken'
      throw error
    })
  if (begun === 'replaced') await finish(context, attempt, 'FAILED', 'replaced')
  if (begun !== 'begun') return

  const mayStart = startInTime(clock, now, (later) =>
    renewAttempt(database, attempt, inquiryDue(later), notReceivedInquiriesMax),
  )
  crashPoint('attempt opened, rail not asked')
  await conclude(context, attempt, await decisionOf(context, attempt, attempt.intent, vcode, mayStart))
}

/** Takes back the approval that was begun for an attempt which is over. */
class DecidedBefore extends Error {}

/** A verification moves no money: the issuer's word about the holder is the whole of it. */
async function decisionOf(
  context: CardsContext,
  attempt: CardAttempt,
  intent: CardAttempt['intent'],
  vcode: string | undefined,
  mayStart: MayStart,
): Promise<AcquirerAnswer> {
  if (intent === 'verify') return verified
  const request = {
    key: attempt.id,
    merchant: { id: attempt.walletId, name: attempt.merchantName },
    amount: attempt.amount,
    currency: attempt.currency,
    intent,
    card: { ...openCard(context.keyring, attempt), ...(vcode === undefined ? {} : { vcode }) },
    ...authenticationOf(attempt),
    ...(attempt.keepsCard ? { credentialOnFile: 'initial' as const } : {}),
  }
  const ask = (signal: AbortSignal) => context.acquirer.authorize(request, signal)
  return callRail(ask, acquirerTimeoutMs, mayStart)
}

function authenticationOf({ authentication }: CardAttempt) {
  if (authentication === undefined) return {}
  const { eci, value, dsTransId, version } = authentication
  if (eci === undefined || value === undefined || dsTransId === undefined) return {}
  return { authentication: { eci, value, dsTransId, version } }
}

function inquiryDue(now: Instant): Instant {
  return after(now, firstInquirySeconds * second)
}

/** What became of an attempt that was handed to be decided. */
export function inquireOf(
  context: CardsContext,
  attempt: CardAttempt,
): Promise<AcquirerAnswer | NotReceived> {
  if (attempt.intent === 'verify') return Promise.resolve(verified)
  return callRail((signal) => context.acquirer.inquire(attempt.id, signal), acquirerTimeoutMs)
}

/** The last question about an attempt that the acquirer has not received: it is not to be decided any more. */
export function cancelOf(context: CardsContext, attempt: CardAttempt): Promise<AcquirerAnswer | NotReceived> {
  return callRail((signal) => cancelAtAcquirer(context.acquirer, attempt.id, signal), acquirerTimeoutMs)
}

/** Settles what an explicit answer decided; the owner first, so that a crash in between repeats both. */
export async function conclude(
  context: CardsContext,
  attempt: CardAttempt,
  answer: AcquirerAnswer,
): Promise<void> {
  crashPoint('rail answered, nothing written')
  const owner = context.owners[attempt.owner]
  // Whoever cancelled it, before it arrived, says what becomes of the attempt.
  if (isCancelled(answer)) return
  switch (answer.kind) {
    case 'approved':
      if (await owner.approved(attempt)) {
        crashPoint('settled, its attempt still open')
        return finish(context, attempt, 'APPROVED', undefined, answer.reference)
      }
      return finish(context, attempt, 'FAILED', 'acquirer_too_late', answer.reference)
    case 'declined':
      if (!(await owner.declined(attempt, answer.decline))) return askLater(context, attempt)
      return finish(context, attempt, 'DECLINED', answer.decline, answer.reference)
    case 'unclear':
      return askLater(context, attempt)
  }
}

function askLater({ database, clock }: CardsContext, attempt: CardAttempt): Promise<void> {
  return postponeAttempt(database, attempt, inquiryDue(clock.now()))
}

/** Ends an attempt that was being authorized. */
export async function finish(
  { database, clock }: CardsContext,
  attempt: CardAttempt,
  state: 'APPROVED' | 'DECLINED' | 'FAILED',
  failure?: string,
  reference?: string,
): Promise<void> {
  const from: AttemptState[] = ['AUTHORISING']
  await finishAttempt(database, attempt, { from, state, failure, reference }, clock.now())
}
