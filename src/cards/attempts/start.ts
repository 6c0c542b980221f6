// Starting an attempt: the card is sealed, the attempt becomes the operation's own, earlier ones end.

import type { Cents } from '../../kernel/money.ts'
import { newId, randomId } from '../../kernel/random.ts'
import { ok, type Refusal, RefusalError, type Result, refuse } from '../../kernel/result.ts'
import { seal } from '../../kernel/sealing.ts'
import { after, type Instant, minute } from '../../kernel/time.ts'
import type { Executor } from '../../storage/index.ts'
import type { CardsContext } from '../deps.ts'
import {
  type AttemptOwner,
  attemptsPerSubjectMax,
  type BrowserFacts,
  type CardAttempt,
  type CardDetails,
} from '../model.ts'
import { summaryOf } from '../rules.ts'
import { authenticationMinutesMax } from './authenticate.ts'
import { insertAttempt } from './open-store.ts'
import { associatedDataOf } from './sealed-card.ts'
import { abandonEarlierAttempts, countAttempts, findAttemptByPageToken } from './store.ts'

const triedOut: Refusal = {
  kind: 'too_many_requests',
  reason: `at most ${attemptsPerSubjectMax} cards can be tried for one payment`,
}

export interface NewAttempt {
  readonly owner: AttemptOwner
  readonly walletId: bigint
  readonly subjectId: string
  readonly pageToken: string
  readonly amount: Cents
  readonly currency: string
  readonly merchantName: string
  readonly intent: 'sale' | 'hold' | 'verify'
  readonly keepsCard?: boolean | undefined
  readonly card: CardDetails
  readonly browser: BrowserFacts
  /**
   * Writes what the attempt is about in the attempt's own transaction, in place of the owner's `choose`;
   * false when that was done before. Subject and page token are new then: no earlier attempt is looked for.
   */
  readonly open?: ((tx: Executor, attempt: CardAttempt) => Promise<boolean>) | undefined
  /**
   * In place of {@link open}: writes the attempt and what it is about by one statement; false when that was done
   * before. The attempt ends at `dueAt` if the customer does not come back.
   */
  readonly openAtOnce?: ((attempt: CardAttempt, dueAt: Instant) => Promise<boolean>) | undefined
}

/**
 * Writes the attempt, or finds the one that the same page started already (a double click).
 * Refused with `illegal_state` when the operation is final, or a rail is deciding about it, and with
 * `too_many_requests` after {@link attemptsPerSubjectMax} attempts.
 */
export async function startAttempt(context: CardsContext, asked: NewAttempt): Promise<Result<CardAttempt>> {
  const { database, clock, owners } = context
  const { walletId, subjectId, pageToken } = asked
  const isNew = asked.open !== undefined || asked.openAtOnce !== undefined
  const known = isNew ? undefined : await findAttemptByPageToken(database, walletId, subjectId, pageToken)
  if (known !== undefined) return ok(known)

  const range = await context.threeDSecure.versions(asked.card.number)
  const attempt = attemptOf(context, asked, range)
  const choose = asked.open ?? owners[attempt.owner].choose
  const dueAt = after(clock.now(), authenticationMinutesMax * minute)
  context.securityCodes.keep(attempt.id, asked.card.vcode)
  try {
    const chosen =
      asked.openAtOnce === undefined
        ? await database.transaction(async (tx) => {
            if (!(await choose(tx, attempt))) return false
            if (!isNew) await endEarlierAttempts(tx, attempt)
            await insertAttempt(tx, attempt, dueAt)
            return true
          })
        : await asked.openAtOnce(attempt, dueAt)
    if (chosen) return ok(attempt)
    context.securityCodes.take(attempt.id)
    return refuse('illegal_state', 'the payment is being approved, or is over')
  } catch (error) {
    const first = await findAttemptByPageToken(database, walletId, subjectId, pageToken)
    if (first?.id !== attempt.id) context.securityCodes.take(attempt.id)
    if (error instanceof RefusalError && error.refusal === triedOut) return { ok: false, refusal: triedOut }
    if (first === undefined) throw error
    return ok(first)
  }
}

/** Called with the operation locked, so that cards sent at once are counted one after the other. */
async function endEarlierAttempts(tx: Executor, attempt: CardAttempt): Promise<void> {
  const tried = await countAttempts(tx, attempt.walletId, attempt.subjectId)
  if (tried >= attemptsPerSubjectMax) throw new RefusalError(triedOut)
  await abandonEarlierAttempts(tx, attempt)
}

function attemptOf(
  { clock, random, keyring }: CardsContext,
  asked: NewAttempt,
  range: { readonly version: string; readonly methodUrl?: string } | undefined,
): CardAttempt {
  const now = clock.now()
  const { card, open: _open, openAtOnce: _openAtOnce, ...rest } = asked
  const id = newId(now, random)
  const { number, name, expiry } = card
  return {
    ...rest,
    id,
    state: 'STARTED',
    keepsCard: asked.keepsCard ?? false,
    sealedCard: seal(keyring, JSON.stringify({ number, name, expiry }), associatedDataOf(id), random),
    card: summaryOf(card),
    threeDsId: randomId(random),
    asked: false,
    methodUrl: range?.methodUrl,
    version: range?.version,
    inquiries: 0,
    createdAt: now,
    modifiedAt: now,
  }
}
