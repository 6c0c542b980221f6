// Dividing a capture after earlier ones.
import { type Cents, cents } from '../../kernel/money.ts'
import { type AskedShare, type CapturedBefore, type Divided, divideCapture } from '../../splits/index.ts'
import { type ColumnType, type Executor, statement } from '../../storage/index.ts'
import type { Operation } from '../model.ts'
import type { CaptureRevision } from './book.ts'

export async function divideCaptureOf(
  db: Executor,
  { id, walletId, parentId, amount, fee }: Operation,
  split: readonly AskedShare[],
): Promise<{ readonly division: Divided; readonly turn: CaptureRevision }> {
  if (parentId === undefined) throw new Error(`capture ${id} has no authorization`)
  const { authorized, revision, before } = await findCaptured(db, walletId, parentId, split.length)
  const division = divideCapture({ authorized, amount, net: cents(amount + fee), before }, split)
  return { division, turn: { authorizationId: parentId, revision } }
}

export const revisionColumns = {
  operation_id: 'uuid',
  wallet_id: 'bigint',
  parent_id: 'uuid',
  split_revision: 'integer',
} as const satisfies Record<string, ColumnType>

/** Raises the revision of each authorization that has not changed since the division. */
export function claimRevisionsSql(turns: string): string {
  return `
    turn_taken as (
      update operations set split_revision = operations.split_revision + 1
      from ${turns}
      where operations.wallet_id = ${turns}.wallet_id and operations.id = ${turns}.parent_id
        and operations.split_revision = ${turns}.split_revision
        and exists (
          select 1 from operations as capture
          where capture.wallet_id = ${turns}.wallet_id and capture.id = ${turns}.operation_id
            and capture.status = 'PENDING'
        )
      returning ${turns}.operation_id
    )`
}

export function hasRevisionSql(turns: string, source: string): string {
  return `
    and not exists (
      select 1 from ${turns}
      where ${turns}.operation_id = ${source}.id and ${turns}.operation_id not in (select operation_id from turn_taken)
    )`
}

interface Captured {
  readonly authorized: bigint
  readonly revision: number
  readonly amount: bigint
  readonly net: bigint
  readonly shares: Readonly<Record<string, number>> | null
}

const selectCaptured = statement<Captured>(`
  select
    held.amount as authorized,
    held.split_revision as revision,
    captured.amount,
    captured.net,
    (
      select jsonb_object_agg(given.position, given.amount)
      from (
        select shares.position, sum(shares.amount)::bigint as amount
        from shares
        where shares.wallet_id = $1 and shares.operation_id = any(captured.ids)
        group by shares.position
      ) as given
    ) as shares
  from operations as held
  cross join lateral (
    select
      coalesce(sum(capture.amount), 0)::bigint as amount,
      coalesce(sum(capture.amount + capture.fee), 0)::bigint as net,
      array_agg(capture.id) as ids
    from operations as capture
    where capture.wallet_id = $1 and capture.parent_id = $2 and capture.type = 'CAPTURE'
      and capture.split_at is not null
  ) as captured
  where held.wallet_id = $1 and held.id = $2`)

/** Reads totals and revision in one statement, so they belong together. */
async function findCaptured(
  db: Executor,
  walletId: bigint,
  authorizationId: string,
  shareCount: number,
): Promise<{ readonly authorized: Cents; readonly revision: number; readonly before: CapturedBefore }> {
  const [row] = await db.run(selectCaptured, [walletId, authorizationId])
  if (row === undefined) throw new Error(`authorization ${authorizationId} does not exist`)
  const shares = Array.from({ length: shareCount }, (_, position) => cents(row.shares?.[position] ?? 0))
  return {
    authorized: cents(row.authorized),
    revision: row.revision,
    before: { amount: cents(row.amount), net: cents(row.net), shares },
  }
}
