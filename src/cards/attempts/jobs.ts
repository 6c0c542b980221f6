// The resolver: attempts open for too long are ended, gone on with, or asked about until the acquirer says.
import { after, backoffMs, second } from '../../kernel/time.ts'
import { isCancelled } from '../../rails/index.ts'
import { createWorker, type Worker } from '../../storage/index.ts'
import type { CardsContext } from '../deps.ts'
import type { AttemptState, CardAttempt } from '../model.ts'
import { failAuthentication } from './authenticate.ts'
import { authorize, cancelOf, conclude, finish, inquireOf, notReceivedInquiriesMax } from './authorize.ts'
import { claimDueAttempts, postponeAttempt } from './store.ts'

const pollMs = 1000
const concurrency = 16
const leaseSeconds = 30
/** Until the acquirer is asked again: doubled each time. */
const inquirySeconds = 5
const inquirySecondsMax = 300

/** Works attempts whose time has come; several processes share them. */
export function createResolver(context: CardsContext): Worker {
  const { database, clock } = context
  return createWorker<CardAttempt>({
    name: 'card attempts',
    database,
    pollMs,
    concurrency,
    claim: (limit) => {
      // Nobody may come for a code any more; the resolver looks every second.
      context.securityCodes.forgetStale()
      const now = clock.now()
      return claimDueAttempts(database, now, after(now, leaseSeconds * second), limit)
    },
    work: (attempt) => resolutions[attempt.state](context, attempt),
    onError: context.onError,
  })
}

type Resolution = (context: CardsContext, attempt: CardAttempt) => Promise<void>

const resolutions: Record<AttemptState, Resolution> = {
  STARTED: (context, attempt) => failAuthentication(context, attempt, 'authentication_timeout'),
  CHALLENGED: (context, attempt) => failAuthentication(context, attempt, 'authentication_timeout'),
  AUTHENTICATED: authorize,
  AUTHORISING: inquire,
  APPROVED: alreadyOver,
  DECLINED: alreadyOver,
  FAILED: alreadyOver,
  ABANDONED: alreadyOver,
}

async function alreadyOver(): Promise<void> {}

async function inquire(context: CardsContext, attempt: CardAttempt): Promise<void> {
  const known = await inquireOf(context, attempt)
  const isLast =
    (known.kind === 'not_found' || isCancelled(known)) && attempt.inquiries >= notReceivedInquiriesMax
  const answer = isLast ? await cancelOf(context, attempt) : known
  if (answer.kind === 'unclear') return askAgain(context, attempt)
  if (answer.kind !== 'not_found' && !isCancelled(answer)) return conclude(context, attempt, answer)
  if (!isLast) return askAgain(context, attempt)
  await context.watch(attempt)
  if (!(await context.owners[attempt.owner].declined(attempt, 'acquirer_unavailable')))
    return askAgain(context, attempt)
  await finish(context, attempt, 'FAILED', 'acquirer_unavailable')
}

async function askAgain({ database, clock }: CardsContext, attempt: CardAttempt): Promise<void> {
  const pause = backoffMs(inquirySeconds * second, attempt.inquiries, inquirySecondsMax * second)
  await postponeAttempt(database, attempt, after(clock.now(), pause))
}
