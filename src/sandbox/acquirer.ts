// The sandbox's acquirer: decides by the card's number, and writes every decision down before it says it.
import { lisbonDayOf } from '../kernel/lisbon.ts'
import type { Randomness } from '../kernel/random.ts'
import { type Clock, toTimestamp } from '../kernel/time.ts'
import type { CardAcquirer, CardAuthorisation, DeclineReason } from '../rails/index.ts'
import { type Database, grouped } from '../storage/index.ts'
import { answerOf, neverAnswer, referenceOf } from './acquirer-answers.ts'
import { createFollowUps } from './acquirer-follow-ups.ts'
import { createRefunds } from './acquirer-refunds.ts'
import { type Decision, type DecisionRow, findDecision, recordDecisions } from './acquirer-store.ts'
import { conductOf } from './test-cards.ts'

export interface SandboxAcquirerDeps {
  readonly database: Database
  readonly clock: Clock
  readonly random: Randomness
}

/** An acquirer whose books survive the process; thousands of decisions a second share few statements. */
export function createSandboxAcquirer(deps: SandboxAcquirerDeps): CardAcquirer {
  const record = grouped<DecisionRow, Decision>({
    database: deps.database,
    aggregateOf: ({ key }) => key,
    write: (rows) => recordDecisions(deps.database, rows),
  })
  const followUp = createFollowUps(deps)

  return {
    async authorise(request) {
      const decision = await record(decide(request, deps))
      if (conductOf(request.card.number).acquirer.silent === true) return neverAnswer()
      return answerOf(decision)
    },
    capture: (request) => followUp('capture', request),
    release: (request) => followUp('release', request),
    refund: createRefunds(deps),
    async inquire(key) {
      const decision = await findDecision(deps.database, key)
      return decision === undefined ? { kind: 'not_found' } : answerOf(decision)
    },
  }
}

function decide(request: CardAuthorisation, { clock, random }: SandboxAcquirerDeps): DecisionRow {
  const decline = declineFor(request, clock) ?? null
  const { followUps } = conductOf(request.card.number).acquirer
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

function declineFor({ card }: CardAuthorisation, clock: Clock): DeclineReason | undefined {
  const { decline } = conductOf(card.number).acquirer
  if (decline !== undefined) return decline
  const now = clock.now()
  // Most cards are far from their end, and asking the calendar would cost more than all the rest.
  if (card.expiry.year > new Date(now).getUTCFullYear()) return undefined
  const lastMonth = `${card.expiry.year}-${String(card.expiry.month).padStart(2, '0')}`
  return lisbonDayOf(now).slice(0, 7) > lastMonth ? 'expired_card' : undefined
}

/** Six digits, as acquirers print them. */
function approvalCodeOf(random: Randomness): string {
  const number = Buffer.from(random.bytes(4)).readUInt32BE()
  return String(number % 1_000_000).padStart(6, '0')
}
