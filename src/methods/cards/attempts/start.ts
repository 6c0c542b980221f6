// Start of an attempt: the card is sealed, and earlier attempts end.

import type { Cents } from '../../../kernel/money.ts'
import { newId, randomId } from '../../../kernel/random.ts'
import { ok, type Refusal, RefusalError, type Result, refuse, unwrap } from '../../../kernel/result.ts'
import { seal } from '../../../kernel/sealing.ts'
import { after, type Instant, minute } from '../../../kernel/time.ts'
import { countAttempts, findAttemptByPageToken } from '../../../operations/for-methods.ts'
import { callRail, type ThreeDSecure } from '../../../rails/index.ts'
import type { Executor } from '../../../storage/index.ts'
import { cards } from '../facts.ts'
import {
  attemptsPerSubjectMax,
  type BrowserFacts,
  type CardAttempt,
  type CardAttemptDetails,
  type CardDetails,
  type CardOwner,
} from '../model.ts'
import { summaryOf } from '../rules.ts'
import { attemptAssociatedData, type Vault } from '../vault/index.ts'
import { type AttemptsContext, authenticationMinutesMax, issuerTimeoutMs } from './authenticate.ts'

const savedCardGone: Refusal = { kind: 'not_found', reason: 'the saved card was deleted' }

const triedOut: Refusal = {
  kind: 'too_many_requests',
  reason: `at most ${attemptsPerSubjectMax} cards can be tried for one payment: start a new payment`,
}

export interface NewAttempt {
  readonly owner: CardOwner
  readonly walletId: bigint
  readonly subjectId: string
  readonly pageToken: string
  readonly amount: Cents
  readonly currency: string
  readonly merchantName: string
  readonly intent: CardAttemptDetails['intent']
  readonly keepsCard?: boolean | undefined
  readonly savesFor?: string | undefined
  /** Token of the saved card that `card` was read from. */
  readonly savedCard?: string | undefined
  readonly card: CardDetails | undefined
  readonly browser: BrowserFacts
  /** Writes a new purpose in the attempt's transaction, in place of `choose`. Returns false if it existed. */
  readonly open?: ((tx: Executor, attempt: CardAttempt) => Promise<boolean>) | undefined
  /**
   * Used in place of {@link open}: writes attempt and purpose in one statement. Returns false if they were
   * written before. `dueAt`: the end of the attempt.
   */
  readonly openAtOnce?: ((attempt: CardAttempt, dueAt: Instant) => Promise<boolean>) | undefined
}

/**
 * Writes the attempt. After a double click it returns the one that the same page started. Refusals: not_found
 * if the saved card was deleted; illegal_state if the operation is final, being decided, or needs a card.
 * After {@link attemptsPerSubjectMax} attempts it refuses with too_many_requests.
 * @throws {@link RefusalError} `rail_unavailable` if 3-D Secure does not answer; nothing was written
 */
export async function startAttempt(
  context: AttemptsContext,
  asked: NewAttempt,
): Promise<Result<CardAttempt>> {
  const { core, securityCodes } = context
  const { walletId, subjectId, pageToken } = asked
  const posted = () =>
    findAttemptByPageToken<CardAttemptDetails>(core.database, cards.code, walletId, subjectId, pageToken)
  const isNew = asked.open !== undefined || asked.openAtOnce !== undefined
  const known = isNew ? undefined : await posted()
  if (known !== undefined) return ok(known)

  const leftToAcquirer = context.acquirer.customers?.serves(walletId) === true
  const { card } = asked
  if (card === undefined && !leftToAcquirer)
    return refuse('illegal_state', 'the acquirer has no card form any more: type the card here')
  const authentication =
    leftToAcquirer || card === undefined
      ? { leftToAcquirer }
      : rangeDetails(unwrap(await cardRangeOf(context, card.number)))
  const attempt = attemptOf(context, asked, authentication)
  if (card !== undefined) securityCodes.keep(attempt.key, card.vcode)
  let first: CardAttempt | undefined
  try {
    if (await begin(context, asked, attempt, isNew)) return ok(attempt)
    first = isNew ? undefined : await posted()
  } catch (error) {
    first = await posted()
    if (first === undefined) {
      securityCodes.take(attempt.key)
      const refusal = refusalOfStart(error)
      if (refusal !== undefined) return { ok: false, refusal }
      throw error
    }
  }
  if (first?.key !== attempt.key) securityCodes.take(attempt.key)
  return first === undefined
    ? refuse('illegal_state', 'the payment is being approved, or is over')
    : ok(first)
}

function refusalOfStart(error: unknown): Refusal | undefined {
  if (!(error instanceof RefusalError)) return undefined
  return [triedOut, savedCardGone].find((known) => known === error.refusal)
}

async function begin(
  { core, engine, vault }: AttemptsContext,
  { open, openAtOnce }: NewAttempt,
  attempt: CardAttempt,
  isNew: boolean,
): Promise<boolean> {
  const dueAt = after(core.clock.now(), authenticationMinutesMax * minute)
  if (openAtOnce !== undefined) return openAtOnce(attempt, dueAt)
  const begun = await engine.begin(attempt, {
    dueAt,
    insertTarget: open && ((tx) => open(tx, attempt)),
    afterInsert: isNew
      ? undefined
      : async (tx, begun) => {
          await withinLimit(tx, begun)
          if (!(await isSavedCardLive(vault, begun, tx))) throw new RefusalError(savedCardGone)
        },
  })
  return begun !== undefined
}

async function withinLimit(tx: Executor, { walletId, operationId }: CardAttempt): Promise<void> {
  const tried = await countAttempts(tx, cards.code, walletId, operationId)
  if (tried > attemptsPerSubjectMax) throw new RefusalError(triedOut)
}

/** True for attempts by another card. */
export async function isSavedCardLive(
  vault: Pick<Vault, 'find'>,
  { walletId, details: { savedCard } }: CardAttempt,
  tx?: Executor,
): Promise<boolean> {
  if (savedCard === undefined) return true
  const card = await vault.find(walletId, savedCard, tx)
  return card !== undefined && card.voidedAt === undefined
}

type CardRange = Awaited<ReturnType<ThreeDSecure['versions']>>

async function cardRangeOf({ threeDSecure }: AttemptsContext, number: string): Promise<Result<CardRange>> {
  const answer = await callRail(
    async () => ({ kind: 'answered' as const, range: await threeDSecure.versions(number) }),
    issuerTimeoutMs,
  )
  return answer.kind === 'answered'
    ? ok(answer.range)
    : refuse('rail_unavailable', '3-D Secure did not answer: send the card again in a moment')
}

function rangeDetails(range: CardRange): Pick<CardAttemptDetails, 'methodUrl' | 'version'> {
  return { methodUrl: range?.methodUrl, version: range?.version }
}

function attemptOf(
  { core }: AttemptsContext,
  asked: NewAttempt,
  authentication: Pick<CardAttemptDetails, 'methodUrl' | 'version' | 'leftToAcquirer'>,
): CardAttempt {
  const { clock, random, keyring } = core
  const now = clock.now()
  const { owner, walletId, subjectId, pageToken, amount, currency, merchantName } = asked
  const { intent, keepsCard = false, savesFor, savedCard, card, browser } = asked
  const key = newId(now, random)
  const sealCard = ({ number, name, expiry }: CardDetails) =>
    seal(keyring, JSON.stringify({ number, name, expiry }), attemptAssociatedData(key), random)
  return {
    ...{ owner, walletId, key, operationId: subjectId, pageToken, amount, currency, merchantName },
    type: intent === 'hold' ? 'AUTH' : 'PAYMENT',
    method: cards.code,
    state: 'OPEN',
    tries: 0,
    details: {
      ...{ step: 'STARTED', intent, keepsCard, savesFor, savedCard, browser },
      ...(card && { card: summaryOf(card) }),
      ...authentication,
    },
    ...(card && { sealedCard: sealCard(card) }),
    threeDsId: randomId(random),
    createdAt: now,
    modifiedAt: now,
  }
}
