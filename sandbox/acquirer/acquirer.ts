// The sandbox's acquirer.
import { lisbonDayOf } from '../../src/kernel/lisbon.ts'
import type { Randomness } from '../../src/kernel/random.ts'
import { type Clock, toTimestamp } from '../../src/kernel/time.ts'
import type {
  AcquirerAnswer,
  CardAcquirer,
  CardAuthorization,
  DeclineReason,
  NotReceived,
} from '../../src/rails/index.ts'
import { behaviourOf } from '../test-cards.ts'
import { answerOf, neverAnswer, referenceOf, unlessAborted } from './answers.ts'
import type { AcquirerContext } from './context.ts'
import { type Decision, type DecisionRow, findDecision, recordDecisions } from './decisions-store.ts'
import { createFollowUps } from './follow-ups.ts'
import { createRefunds } from './refunds.ts'
import { recordCancelled, recordReversal } from './reversals-store.ts'

/** The simulated acquirer decides by card number and stores each decision. Concurrent decisions share statements. */
export function createSandboxAcquirer(deps: AcquirerContext): CardAcquirer {
  const { database, clock, random } = deps
  const record = unlessAborted<DecisionRow, Decision>(database, ({ key }) => key, recordDecisions)
  const followUp = createFollowUps(deps)

  async function decidedUnder(key: string): Promise<AcquirerAnswer | NotReceived> {
    const decision = await findDecision(database, key)
    return decision === undefined ? { kind: 'not_found' } : answerOf(decision)
  }

  return {
    async authorize(request, signal) {
      const decision = await record(decide(request, deps), signal)
      if (behaviourOf(request.card.number).acquirer.silent === true) return neverAnswer()
      return answerOf(decision)
    },
    capture: (request, signal) => followUp('capture', request, signal),
    release: (request, signal) => followUp('release', request, signal),
    refund: createRefunds(deps),
    inquire: decidedUnder,
    async cancel(key, signal) {
      await database.connected(async (db) => {
        signal?.throwIfAborted()
        await recordCancelled(db, key, referenceOf(random), toTimestamp(clock.now()))
      })
      const answer = await decidedUnder(key)
      if (answer.kind === 'not_found') throw new Error(`${key} was not cancelled`)
      return answer
    },
    async reverse({ key, original }, signal) {
      const reversed = await database.transaction(async (tx) => {
        signal?.throwIfAborted()
        return recordReversal(tx, key, original)
      })
      return reversed === undefined
        ? { kind: 'declined', decline: 'exceeds_payment' }
        : { kind: 'approved', reference: reversed.reference }
    },
  }
}

function decide(request: CardAuthorization, { clock, random }: AcquirerContext): DecisionRow {
  const decline = declineFor(request, clock) ?? null
  const { followUps } = behaviourOf(request.card.number).acquirer
  return {
    key: request.key.toLowerCase(),
    merchant_id: request.merchant.id,
    amount: request.amount,
    currency: request.currency,
    intent: request.intent,
    last4: request.card.number.slice(-4),
    decline,
    reference: referenceOf(random),
    approval_code: decline === null ? approvalCodeOf(random) : null,
    follow_up_silent: followUps?.silent ?? false,
    follow_up_decline: followUps?.decline ?? null,
    decided_at: toTimestamp(clock.now()),
  }
}

function declineFor({ card, credentialOnFile }: CardAuthorization, clock: Clock): DeclineReason | undefined {
  const { decline, declineOnceStored } = behaviourOf(card.number).acquirer
  if (decline !== undefined) return decline
  const isStored = credentialOnFile !== undefined && credentialOnFile !== 'initial'
  if (isStored && declineOnceStored !== undefined) return declineOnceStored
  const now = clock.now()
  // Most cards expire in a later year. This check avoids the slower calendar check for them.
  if (card.expiry.year > new Date(now).getUTCFullYear()) return undefined
  const lastMonth = `${card.expiry.year}-${String(card.expiry.month).padStart(2, '0')}`
  return lisbonDayOf(now).slice(0, 7) > lastMonth ? 'expired_card' : undefined
}

function approvalCodeOf(random: Randomness): string {
  const number = Buffer.from(random.bytes(4)).readUInt32BE()
  return String(number % 1_000_000).padStart(6, '0')
}
