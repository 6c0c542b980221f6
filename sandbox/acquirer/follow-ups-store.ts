// SQL of captures and releases.
import type { Cancelled, DeclineReason, FollowUpDecline } from '../../src/rails/index.ts'
import { type Executor, rowSet, statement } from '../../src/storage/index.ts'

export type FollowUpKind = 'capture' | 'release'

export interface FollowUpRow {
  readonly key: string
  readonly original: string
  readonly kind: FollowUpKind
  readonly merchant_id: bigint
  readonly amount: bigint | null
  readonly currency: string
  readonly reference: string
  readonly decided_at: string
}

export interface FollowUpDecision {
  readonly key: string
  readonly decline: DeclineReason | FollowUpDecline | Cancelled | null
  readonly reference: string
  readonly silent: boolean
}

const columns = rowSet<keyof FollowUpRow>({
  key: 'uuid',
  original: 'uuid',
  kind: 'text',
  merchant_id: 'bigint',
  amount: 'bigint',
  currency: 'text',
  reference: 'text',
  decided_at: 'timestamptz',
})

/**
 * Locks the hold before the decision. A known key gets its first decision and moves nothing. The caller sees by the
 * reference that it is not new.
 */
const insertFollowUps = statement<FollowUpDecision>(`
  with input as (${columns.source}),
  hold as (
    select sandbox.authorizations.*
    from sandbox.authorizations
    where key in (select original from input) and intent = 'hold' and decline is null
    order by key
    for no key update
  ),
  asked as (
    select input.key, input.original, input.kind, input.reference, input.decided_at,
      coalesce(input.amount, hold.amount - hold.captured - hold.released, 0) as amount,
      hold.amount - hold.captured - hold.released as held,
      coalesce(hold.follow_up_silent, false) as silent,
      hold.follow_up_decline
    from input
    left join hold on hold.key = input.original and hold.merchant_id = input.merchant_id
      and hold.currency = input.currency
  ),
  decided as (
    insert into sandbox.follow_ups (key, original, kind, amount, decline, reference, decided_at)
    select key, original, kind, amount,
      case when held is null or amount > held then 'exceeds_hold' else follow_up_decline end,
      reference, decided_at
    from asked
    on conflict (key) do update set key = excluded.key
    returning key, original, kind, amount, decline, reference
  ),
  moved as (
    update sandbox.authorizations set
      captured = captured + case decided.kind when 'capture' then decided.amount else 0 end,
      released = released + case decided.kind when 'release' then decided.amount else 0 end
    from decided join asked on asked.key = decided.key and asked.reference = decided.reference
    where sandbox.authorizations.key = decided.original and decided.decline is null
  )
  select decided.key, decided.decline, decided.reference, asked.silent
  from decided join asked on asked.key = decided.key`)

export async function recordFollowUps(
  db: Executor,
  rows: readonly FollowUpRow[],
): Promise<FollowUpDecision[]> {
  const decisions = await db.run(insertFollowUps, columns.parameters(rows))
  const byKey = new Map(decisions.map((decision) => [decision.key, decision]))
  return rows.map(({ key }) => byKey.get(key) as FollowUpDecision)
}
