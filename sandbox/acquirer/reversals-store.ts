// SQL of cancelled keys and reversals.
import { type Executor, statement } from '../../src/storage/index.ts'

const insertCancelled = statement(`
  with authorisation as (
    insert into sandbox.authorizations (key, decline, reference, decided_at) values ($1, 'cancelled', $2, $3)
    on conflict (key) do nothing
  )
  insert into sandbox.follow_ups (key, decline, reference, decided_at) values ($1, 'cancelled', $2, $3)
  on conflict (key) do nothing`)

/** Cancels a key, so that its request is declined if it arrives later. It waits for a decision in progress. */
export async function recordCancelled(
  db: Executor,
  key: string,
  reference: string,
  at: string,
): Promise<void> {
  await db.run(insertCancelled, [key, reference, at])
}

const selectReversal = statement<{ reference: string }>(`
  select reference from sandbox.authorizations where reversed_by = $1
  union all
  select reference from sandbox.follow_ups where reversed_by = $1`)

const reverseAuthorization = statement<{ reference: string }>(`
  update sandbox.authorizations set
    reversed_by = $1,
    refunded = case intent when 'sale' then amount else refunded end,
    released = case intent when 'hold' then amount else released end
  where key = $2 and decline is null and reversed_by is null and captured = 0 and refunded = 0
  returning reference`)

/** Locks and updates the row of the refund after the row of its sale or hold. */
const reverseFollowUp = statement<{ reference: string }>(`
  with undone as (
    select follow_up.key, follow_up.kind, follow_up.amount, follow_up.reference,
      coalesce(capture.original, follow_up.original) as book
    from sandbox.follow_ups as follow_up
    left join sandbox.follow_ups as capture on capture.key = follow_up.original and capture.kind = 'capture'
    where follow_up.key = $2 and follow_up.decline is null and follow_up.reversed_by is null
    -- After this lock, a concurrent reversal is visible.
    for no key update of follow_up
  ),
  moved as (
    update sandbox.authorizations set
      captured = captured - case undone.kind when 'capture' then undone.amount else 0 end,
      released = released - case undone.kind when 'release' then undone.amount else 0 end,
      refunded = refunded - case undone.kind when 'refund' then undone.amount else 0 end
    from undone
    where sandbox.authorizations.key = undone.book
      -- A capture with refunds cannot be reversed below the refunded amount.
      and (undone.kind <> 'capture' or captured - undone.amount >= refunded)
    returning undone.key
  )
  update sandbox.follow_ups set reversed_by = $1 from moved where sandbox.follow_ups.key = moved.key
  returning reference`)

/** Reverses the approval of `original` once. Undefined if there is nothing to reverse. */
export async function recordReversal(
  tx: Executor,
  key: string,
  original: string,
): Promise<{ readonly reference: string } | undefined> {
  for (const one of [selectReversal, reverseAuthorization, reverseFollowUp, selectReversal]) {
    const [undone] = await tx.run(one, one === selectReversal ? [key] : [key, original])
    if (undone !== undefined) return undone
  }
  return undefined
}
