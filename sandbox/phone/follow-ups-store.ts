// SQL of captures, releases and refunds at the phone network.
import { type Instant, toTimestamp } from '../../src/kernel/time.ts'
import { type Executor, statement } from '../../src/storage/index.ts'

export type FollowUpKind = 'capture' | 'release' | 'refund'

/** Exactly one of the two fields is set. */
export interface FollowUpRow {
  readonly reference: string | null
  readonly decline: string | null
}

const selectFollowUp = statement<FollowUpRow>(
  'select reference, decline from sandbox.phone_follow_ups where key = $1',
)

export async function findFollowUp(db: Executor, key: string): Promise<FollowUpRow | undefined> {
  const [row] = await db.run(selectFollowUp, [key])
  return row
}

/** The lock makes concurrent follow-ups of one payment run one after the other. */
const lockPayment = statement<{ kind: string; amount: bigint }>(`
  select kind, amount from sandbox.phone_requests
  where key = $1 and state = 'approved' and reversed_by is null for update`)
const lockCapture = statement<{ amount: bigint }>(`
  select amount from sandbox.phone_follow_ups
  where key = $1 and kind = 'capture' and reference is not null and reversed_by is null for update`)
const sumOfFollowUps = statement<{ total: bigint }>(`
  select coalesce(sum(amount), 0)::bigint as total from sandbox.phone_follow_ups
  where payment = $1 and reference is not null and reversed_by is null`)

/**
 * The amount of the payment, or of the refunded capture, that can still move. It is locked until the transaction
 * ends.
 */
export async function leftToMove(db: Executor, kind: FollowUpKind, payment: string): Promise<bigint> {
  const [asked] = await db.run(lockPayment, [payment])
  const [captured] = asked === undefined && kind === 'refund' ? await db.run(lockCapture, [payment]) : []
  const whole = captured?.amount ?? amountFor(kind, asked)
  const [moved] = await db.run(sumOfFollowUps, [payment])
  return whole - (moved?.total ?? 0n)
}

function amountFor(kind: FollowUpKind, asked: { kind: string; amount: bigint } | undefined): bigint {
  const fits = asked?.kind === (kind === 'refund' ? 'payment' : 'authorization')
  return fits ? (asked?.amount ?? 0n) : 0n
}

const insertFollowUp = statement<{ key: string }>(`
  insert into sandbox.phone_follow_ups (key, payment, kind, amount, reference, decline, moved_at)
  values ($1, $2, $3, $4, $5, $6, $7)
  on conflict (key) do nothing
  returning key`)

/** Stores a follow-up with its answer. False if its key was cancelled. */
export async function recordFollowUp(
  db: Executor,
  followUp: {
    readonly key: string
    readonly payment: string
    readonly kind: FollowUpKind
    readonly amount: bigint
  },
  { reference, decline }: FollowUpRow,
  now: Instant,
): Promise<boolean> {
  const { key, payment, kind, amount } = followUp
  const values = [key, payment, kind, amount, reference, decline, toTimestamp(now)]
  return (await db.run(insertFollowUp, values)).length === 1
}

const insertCancelled = statement(`
  insert into sandbox.phone_follow_ups (key, decline, moved_at) values ($1, 'withdrawn', $2)
  on conflict (key) do nothing`)

/** Cancels a key, so that its request is declined if it arrives later. It waits for a decision in progress. */
export async function recordCancelledFollowUp(db: Executor, key: string, now: Instant): Promise<void> {
  await db.run(insertCancelled, [key, toTimestamp(now)])
}

const selectReversal = statement<{ reference: string }>(`
  select reference from sandbox.phone_requests where reversed_by = $1
  union all
  select reference from sandbox.phone_follow_ups where reversed_by = $1`)

/** The network reverses no payment that has captures or refunds. */
const unlessMoved = (reversed: string) => `not exists (
    select 1 from sandbox.phone_follow_ups as later
    where later.payment = ${reversed}.key and later.reference is not null and later.reversed_by is null
  )`
const reverseRequest = statement<{ reference: string }>(`
  update sandbox.phone_requests set reversed_by = $1
  where key = $2 and state = 'approved' and reversed_by is null and ${unlessMoved('sandbox.phone_requests')}
  returning reference`)
const reverseFollowUp = statement<{ reference: string }>(`
  update sandbox.phone_follow_ups set reversed_by = $1
  where key = $2 and reference is not null and reversed_by is null and ${unlessMoved('sandbox.phone_follow_ups')}
  returning reference`)

/** Reverses the approval of `original` once. Undefined if there is nothing to reverse. */
export async function recordReversal(
  tx: Executor,
  key: string,
  original: string,
): Promise<{ readonly reference: string } | undefined> {
  const [known] = await tx.run(selectReversal, [key])
  if (known !== undefined) return known
  const [request] = await tx.run(reverseRequest, [key, original])
  const [followUp] = request === undefined ? await tx.run(reverseFollowUp, [key, original]) : []
  return request ?? followUp
}
