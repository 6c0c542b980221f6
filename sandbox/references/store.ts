// The SQL of the reference network's own memory: limits it was told, payments made at its machines.
import type { Cents } from '../../src/kernel/money.ts'
import { type Instant, toTimestamp } from '../../src/kernel/time.ts'
import type {
  PaymentAnswer,
  PaymentRefusal,
  PublishedReference,
  ReferenceName,
  ReferencePayment,
} from '../../src/rails/index.ts'
import { type Executor, rowSet, statement } from '../../src/storage/index.ts'

/** A reference as the network knows it. */
export interface KnownReference extends PublishedReference {
  /** Why it takes nothing more. */
  readonly closed?: 'duplicatepayment' | 'deleted' | undefined
}

const publishedSet = rowSet({
  entity: 'text',
  ref: 'text',
  payable_once: 'boolean',
  amount_min: 'bigint',
  amount_max: 'bigint',
  starts: 'timestamptz',
  expires: 'timestamptz',
  limits_from: 'timestamptz',
})

/** Digits come back after a year for another bill, so the last word counts; a payment it has seen stays seen. */
const upsertReferences = statement(`
  with input as (${publishedSet.source})
  insert into sandbox.published_references (
    entity, ref, payable_once, amount_min, amount_max, starts, expires, limits_from, closed
  )
  select entity, ref, payable_once, amount_min, amount_max, starts, expires, limits_from,
    case when payable_once and exists (
      select 1 from sandbox.reference_payments
      where sandbox.reference_payments.entity = input.entity and sandbox.reference_payments.ref = input.ref
        and state = 'ACCEPTED' and paid_at > input.limits_from - interval '2 days'
    ) then 'duplicatepayment' end
  from input
  on conflict (entity, ref) do update set
    payable_once = excluded.payable_once, amount_min = excluded.amount_min, amount_max = excluded.amount_max,
    starts = excluded.starts, expires = excluded.expires, limits_from = excluded.limits_from,
    closed = excluded.closed`)

export async function keepReferences(db: Executor, references: readonly PublishedReference[]): Promise<void> {
  const rows = references.map((reference) => ({
    entity: reference.entity,
    ref: reference.ref,
    payable_once: reference.payableOnce,
    amount_min: reference.amountMin,
    amount_max: reference.amountMax,
    starts: reference.starts === undefined ? null : toTimestamp(reference.starts),
    expires: reference.expires === undefined ? null : toTimestamp(reference.expires),
    limits_from: toTimestamp(reference.limitsFrom),
  }))
  await db.run(upsertReferences, publishedSet.parameters(rows))
}

const nameSet = rowSet({ entity: 'text', ref: 'text' })

const closeReferences = statement(`
  with input as (${nameSet.source})
  update sandbox.published_references set closed = 'deleted'
  from input
  where sandbox.published_references.entity = input.entity and sandbox.published_references.ref = input.ref and closed is null`)

export async function withdrawReferences(db: Executor, names: readonly ReferenceName[]): Promise<void> {
  await db.run(closeReferences, nameSet.parameters(names.map(({ entity, ref }) => ({ entity, ref }))))
}

const selectReference = statement<{
  payable_once: boolean
  amount_min: bigint
  amount_max: bigint
  starts: Instant | null
  expires: Instant | null
  limits_from: Instant
  closed: 'duplicatepayment' | 'deleted' | null
}>('select * from sandbox.published_references where entity = $1 and ref = $2')

export async function findKnownReference(
  db: Executor,
  { entity, ref }: ReferenceName,
): Promise<KnownReference | undefined> {
  const [row] = await db.run(selectReference, [entity, ref])
  if (row === undefined) return undefined
  return {
    entity,
    ref,
    payableOnce: row.payable_once,
    amountMin: row.amount_min as Cents,
    amountMax: row.amount_max as Cents,
    starts: row.starts ?? undefined,
    expires: row.expires ?? undefined,
    limitsFrom: row.limits_from,
    closed: row.closed ?? undefined,
  }
}

const insertPayment = statement<{ id: string }>(`
  insert into sandbox.reference_payments (id, entity, ref, amount, paid_at, state, due_at)
  values ($1, $2, $3, $4, $5, 'UNANSWERED', $6)
  on conflict (id) do nothing
  returning id`)

/** Writes a payment down before anybody is told; false when it was there. */
export async function keepPayment(
  db: Executor,
  { id, entity, ref, amount, paidAt }: ReferencePayment,
  tellAgainAt: Instant,
): Promise<boolean> {
  const values = [id, entity, ref, amount, toTimestamp(paidAt), toTimestamp(tellAgainAt)]
  return (await db.run(insertPayment, values)).length === 1
}

interface PaymentRow {
  id: string
  entity: string
  ref: string
  amount: bigint
  paid_at: Instant
}

function paymentOf({ id, entity, ref, amount, paid_at }: PaymentRow): ReferencePayment {
  return { id, entity, ref, amount: amount as Cents, paidAt: paid_at }
}

const selectPayment = statement<PaymentRow>('select * from sandbox.reference_payments where id = $1')

export async function findPayment(db: Executor, id: string): Promise<ReferencePayment | undefined> {
  const [row] = await db.run(selectPayment, [id])
  return row === undefined ? undefined : paymentOf(row)
}

const selectUnanswered = statement<PaymentRow>(`
  with input as (${nameSet.source})
  select payments.*
  from sandbox.reference_payments as payments
  join input on payments.entity = input.entity and payments.ref = input.ref
  where payments.state = 'UNANSWERED'
  order by payments.paid_at, payments.id`)

export async function listUnanswered(
  db: Executor,
  names: readonly ReferenceName[],
): Promise<ReferencePayment[]> {
  const rows = nameSet.parameters(names.map(({ entity, ref }) => ({ entity, ref })))
  return (await db.run(selectUnanswered, rows)).map(paymentOf)
}

const answerPayment = statement(`
  with answered as (
    update sandbox.reference_payments set
      state = $2, reason = $3, operation_id = $4, tellings = tellings + 1,
      due_at = case when tellings = 0 and $2 = 'ACCEPTED' then $5::timestamptz end
    where id = $1
    returning entity, ref, state
  )
  update sandbox.published_references set closed = 'duplicatepayment'
  from answered
  where sandbox.published_references.entity = answered.entity and sandbox.published_references.ref = answered.ref
    and answered.state = 'ACCEPTED' and payable_once and closed is null`)

/** Keeps the gateway's answer. One that was accepted is told once more at `repeatAt`, as networks do. */
export async function keepAnswer(
  db: Executor,
  paymentId: string,
  answer: PaymentAnswer,
  repeatAt: Instant,
): Promise<void> {
  const accepted = answer.kind === 'accepted'
  await db.run(answerPayment, [
    paymentId,
    accepted ? 'ACCEPTED' : 'REFUSED',
    accepted ? null : (answer.reason satisfies PaymentRefusal),
    accepted ? answer.operationId : null,
    toTimestamp(repeatAt),
  ])
}

const claimDue = statement<PaymentRow>(`
  update sandbox.reference_payments set due_at = $2
  where id in (
    select id from sandbox.reference_payments where due_at <= $1 order by due_at limit $3 for update skip locked
  )
  returning *`)

/** Payments to be told again, leased until `leasedUntil`. */
export async function claimDuePayments(
  db: Executor,
  now: Instant,
  leasedUntil: Instant,
  limit: number,
): Promise<ReferencePayment[]> {
  const rows = await db.run(claimDue, [toTimestamp(now), toTimestamp(leasedUntil), limit])
  return rows.map(paymentOf)
}
