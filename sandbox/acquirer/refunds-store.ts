// SQL of refunds at the acquirer.
import { type Executor, rowSet, statement } from '../../src/storage/index.ts'
import type { FollowUpDecision } from './follow-ups-store.ts'

export interface RefundRow {
  readonly key: string
  readonly original: string
  readonly merchant_id: bigint
  readonly amount: bigint
  readonly currency: string
  readonly reference: string
  readonly decided_at: string
}

const columns = rowSet<keyof RefundRow>({
  key: 'uuid',
  original: 'uuid',
  merchant_id: 'bigint',
  amount: 'bigint',
  currency: 'text',
  reference: 'text',
  decided_at: 'timestamptz',
})

/**
 * Locks the authorization before the decision. For a capture this is the hold, which counts all its refunds. A known
 * key gets its first decision and moves nothing. The caller sees by the reference that it is not new.
 */
const insertRefunds = statement<FollowUpDecision>(`
  with input as (${columns.source}),
  origin as (
    select input.key, coalesce(capture.original, input.original) as book, capture.amount as captured
    from input
    left join sandbox.follow_ups as capture
      on capture.key = input.original and capture.kind = 'capture' and capture.decline is null
  ),
  book as (
    select sandbox.authorizations.*
    from sandbox.authorizations
    where sandbox.authorizations.key in (select origin.book from origin) and decline is null
    order by sandbox.authorizations.key
    for no key update
  ),
  asked as (
    select input.key, input.original, input.amount, input.reference, input.decided_at, book.key as book,
      case
        when book.intent = 'sale' then book.amount - book.refunded
        when origin.captured is not null then least(origin.captured, book.captured - book.refunded)
      end as taken,
      coalesce(book.follow_up_silent, false) as silent,
      book.follow_up_decline
    from input
    join origin on origin.key = input.key
    left join book on book.key = origin.book and book.merchant_id = input.merchant_id
      and book.currency = input.currency
  ),
  decided as (
    insert into sandbox.follow_ups (key, original, kind, amount, decline, reference, decided_at)
    select key, original, 'refund', amount,
      case when taken is null or amount > taken then 'exceeds_payment' else follow_up_decline end,
      reference, decided_at
    from asked
    on conflict (key) do update set key = excluded.key
    returning key, amount, decline, reference
  ),
  moved as (
    update sandbox.authorizations set refunded = sandbox.authorizations.refunded + given.amount
    from (
      select asked.book, sum(decided.amount)::bigint as amount
      from decided join asked on asked.key = decided.key and asked.reference = decided.reference
      where decided.decline is null
      group by asked.book
    ) as given
    where sandbox.authorizations.key = given.book
  )
  select decided.key, decided.decline, decided.reference, asked.silent
  from decided join asked on asked.key = decided.key`)

export async function recordRefunds(db: Executor, rows: readonly RefundRow[]): Promise<FollowUpDecision[]> {
  const decisions = await db.run(insertRefunds, columns.parameters(rows))
  const byKey = new Map(decisions.map((decision) => [decision.key, decision]))
  return rows.map(({ key }) => byKey.get(key) as FollowUpDecision)
}
