// SQL of the acquirer's decisions.
import type { Cancelled, DeclineReason, FollowUpDecline } from '../../src/rails/index.ts'
import { type Executor, rowSet, statement } from '../../src/storage/index.ts'

/** The stored decision for a key. Without `decline` it is an approval. */
export interface Decision {
  readonly key: string
  readonly decline: DeclineReason | FollowUpDecline | Cancelled | null
  readonly reference: string
  readonly approval_code: string | null
}

export interface DecisionRow extends Decision {
  readonly merchant_id: bigint
  readonly amount: bigint
  readonly currency: string
  readonly intent: 'sale' | 'hold'
  readonly last4: string
  /** How the card behaves for later captures, releases and refunds. */
  readonly follow_up_silent: boolean
  readonly follow_up_decline: DeclineReason | null
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
  follow_up_silent: 'boolean',
  follow_up_decline: 'text',
  decided_at: 'timestamptz',
})

/** The update changes nothing: it makes PostgreSQL return the first decision of a known key. */
const insertDecisions = statement<Decision>(`
  with input as (${columns.source})
  insert into sandbox.authorizations (
    key, merchant_id, amount, currency, intent, last4, decline, reference, approval_code, follow_up_silent,
    follow_up_decline, decided_at
  )
  select key, merchant_id, amount, currency, intent, last4, decline, reference, approval_code, follow_up_silent,
    follow_up_decline, decided_at
  from input
  on conflict (key) do update set key = excluded.key
  returning key, decline, reference, approval_code`)

/** Writes decisions about different keys. Returns one per row, in order. A known key gets its first decision. */
export async function recordDecisions(db: Executor, rows: readonly DecisionRow[]): Promise<Decision[]> {
  const decisions = await db.run(insertDecisions, columns.parameters(rows))
  const byKey = new Map(decisions.map((decision) => [decision.key, decision]))
  return rows.map(({ key }) => byKey.get(key) as Decision)
}

/** A cancelled key is in both tables. The table in which the request arrived has priority. */
const selectDecision = statement<Decision>(`
  select * from (
    select key, decline, reference, approval_code from sandbox.authorizations where key = $1
    union all
    select key, decline, reference, null from sandbox.follow_ups where key = $1
  ) as decisions
  order by decline is not distinct from 'cancelled' limit 1`)

export async function findDecision(db: Executor, key: string): Promise<Decision | undefined> {
  const [decision] = await db.run(selectDecision, [key])
  return decision
}
