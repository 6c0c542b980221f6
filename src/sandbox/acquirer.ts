// The sandbox's acquirer: decides by the card's number, and writes every decision down before it says it.
import { lisbonDayOf } from '../kernel/lisbon.ts'
import type { Randomness } from '../kernel/random.ts'
import { type Clock, toTimestamp } from '../kernel/time.ts'
import type { AcquirerAnswer, CardAcquirer, CardAuthorisation, DeclineReason } from '../rails/index.ts'
import { type Database, grouped, rowSet, statement } from '../storage/index.ts'
import { conductOf } from './test-cards.ts'

export interface SandboxAcquirerDeps {
  readonly database: Database
  readonly clock: Clock
  readonly random: Randomness
}

interface Decision {
  readonly key: string
  readonly decline: DeclineReason | null
  readonly reference: string
  readonly approval_code: string | null
}

interface DecisionRow extends Decision {
  readonly merchant_id: bigint
  readonly amount: bigint
  readonly currency: string
  readonly intent: 'sale' | 'hold'
  readonly last4: string
  readonly decided_at: string
}

const columns = rowSet<keyof DecisionRow>({
  key: 'uuid',
  merchant_id: 'bigint',
  amount: 'bigint',
  currency: 'text',
  intent: 'text',
  last4: 'text',
  decline: 'text',
  reference: 'text',
  approval_code: 'text',
  decided_at: 'timestamptz',
})

/** A key that is known keeps its first decision; the update changes nothing, so that it is returned too. */
const recordDecisions = statement<Decision>(`
  with input as (${columns.source})
  insert into sandbox_authorisations (
    key, merchant_id, amount, currency, intent, last4, decline, reference, approval_code, decided_at
  )
  select key, merchant_id, amount, currency, intent, last4, decline, reference, approval_code, decided_at
  from input
  on conflict (key) do update set key = excluded.key
  returning key, decline, reference, approval_code`)

const selectDecision = statement<Decision>(`
  select key, decline, reference, approval_code from sandbox_authorisations where key = $1`)

/** An acquirer whose books survive the process; thousands of decisions a second share few statements. */
export function createSandboxAcquirer(deps: SandboxAcquirerDeps): CardAcquirer {
  const record = grouped<DecisionRow, Decision>({
    database: deps.database,
    aggregateOf: ({ key }) => key,
    async write(rows) {
      const written = await deps.database.run(recordDecisions, columns.parameters(rows))
      const byKey = new Map(written.map((decision) => [decision.key, decision]))
      return rows.map(({ key }) => byKey.get(key) as Decision)
    },
  })

  return {
    async authorise(request) {
      const decision = await record(decide(request, deps))
      if (conductOf(request.card.number).acquirer.silent === true) return neverAnswer()
      return answerOf(decision)
    },
    async inquire(key) {
      const [decision] = await deps.database.run(selectDecision, [key])
      return decision === undefined ? { kind: 'not_found' } : answerOf(decision)
    },
  }
}

function decide(request: CardAuthorisation, { clock, random }: SandboxAcquirerDeps): DecisionRow {
  const decline = declineFor(request, clock) ?? null
  return {
    key: request.key.toLowerCase(),
    merchant_id: request.merchant.id,
    amount: request.amount,
    currency: request.currency,
    intent: request.intent,
    last4: request.card.number.slice(-4),
    decline,
    reference: hexOf(random.bytes(12)),
    approval_code: decline === null ? approvalCodeOf(random) : null,
    decided_at: toTimestamp(clock.now()),
  }
}

function declineFor({ card }: CardAuthorisation, clock: Clock): DeclineReason | undefined {
  const { decline } = conductOf(card.number).acquirer
  if (decline !== undefined) return decline
  const lastMonth = `${card.expiry.year}-${String(card.expiry.month).padStart(2, '0')}`
  return lisbonDayOf(clock.now()).slice(0, 7) > lastMonth ? 'expired_card' : undefined
}

function answerOf({ decline, reference, approval_code }: Decision): AcquirerAnswer {
  if (decline !== null) return { kind: 'declined', decline, reference }
  return { kind: 'approved', reference, approvalCode: approval_code as string }
}

function neverAnswer(): Promise<never> {
  return new Promise(() => undefined)
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex').toUpperCase()
}

/** Six digits, as acquirers print them. */
function approvalCodeOf(random: Randomness): string {
  const number = Buffer.from(random.bytes(4)).readUInt32BE()
  return String(number % 1_000_000).padStart(6, '0')
}
