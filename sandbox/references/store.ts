// SQL of published references and their payments.
import { type Instant, toTimestamp } from '../../src/kernel/time.ts'
import type {
  PaymentAnswer,
  PaymentRefusal,
  PublishedReference,
  ReferenceName,
  ReferencePayment,
} from '../../src/rails/index.ts'
import { type Executor, type RowOf, rowSet, type StoredRowOf, statement } from '../../src/storage/index.ts'
import { publishedReferences, referencePayments } from './model.ts'

export type KnownReference = RowOf<typeof publishedReferences>

const published = publishedReferences.omit('closed')
const publishedSet = rowSet(published.types)

/** A reference number is used again after a year, so a new publication replaces the old one. Its payments stay. */
const upsertReferences = statement(`
  with input as (${publishedSet.source})
  insert into sandbox.published_references (${published.list()}, closed)
  select ${published.list()},
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
  await db.run(upsertReferences, publishedSet.parameters(references.map(published.write)))
}

const nameSet = rowSet(publishedReferences.pick('entity', 'ref').types)

const closeReferences = statement(`
  with input as (${nameSet.source})
  update sandbox.published_references set closed = 'deleted'
  from input
  where sandbox.published_references.entity = input.entity and sandbox.published_references.ref = input.ref and closed is null`)

export async function withdrawReferences(db: Executor, names: readonly ReferenceName[]): Promise<void> {
  await db.run(closeReferences, nameSet.parameters(names.map(({ entity, ref }) => ({ entity, ref }))))
}

const selectReference = statement<StoredRowOf<typeof publishedReferences>>(
  'select * from sandbox.published_references where entity = $1 and ref = $2',
)

export async function findKnownReference(
  db: Executor,
  { entity, ref }: ReferenceName,
): Promise<KnownReference | undefined> {
  return publishedReferences.first(await db.run(selectReference, [entity, ref]))
}

const selectOpen = statement<StoredRowOf<typeof publishedReferences>>(`
  select * from sandbox.published_references
  where closed is null and (starts is null or starts <= $1) and (expires is null or expires >= $1)
    and ($2::text is null and $3::bigint is null
      or coalesce(ref like '%' || $2 || '%', false) or coalesce($3 between amount_min and amount_max, false))
  order by limits_from desc, entity, ref limit $4`)

export async function listOpenReferences(
  db: Executor,
  now: Instant,
  { digits, amount }: { readonly digits?: string | undefined; readonly amount?: bigint | undefined },
  limit: number,
): Promise<KnownReference[]> {
  const rows = await db.run(selectOpen, [toTimestamp(now), digits ?? null, amount ?? null, limit])
  return rows.map(publishedReferences.read)
}

const insertPayment = statement<{ id: string }>(`
  insert into sandbox.reference_payments (id, entity, ref, amount, paid_at, state, due_at)
  values ($1, $2, $3, $4, $5, 'UNANSWERED', $6)
  on conflict (id) do nothing
  returning id`)

/** Stores a payment before the gateway is asked. False if it is known. */
export async function keepPayment(
  db: Executor,
  { id, entity, ref, amount, paidAt }: ReferencePayment,
  tellAgainAt: Instant,
): Promise<boolean> {
  const values = [id, entity, ref, amount, toTimestamp(paidAt), toTimestamp(tellAgainAt)]
  return (await db.run(insertPayment, values)).length === 1
}

type PaymentRow = StoredRowOf<typeof referencePayments>

const selectPayment = statement<PaymentRow>('select * from sandbox.reference_payments where id = $1')

export async function findPayment(db: Executor, id: string): Promise<ReferencePayment | undefined> {
  return referencePayments.first(await db.run(selectPayment, [id]))
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
  return (await db.run(selectUnanswered, rows)).map(referencePayments.read)
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

/** Stores the answer. The network reports an accepted payment again at `repeatAt`. */
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

/** Payments whose notice is due, leased until `leasedUntil`. */
export async function claimDuePayments(
  db: Executor,
  now: Instant,
  leasedUntil: Instant,
  limit: number,
): Promise<ReferencePayment[]> {
  const rows = await db.run(claimDue, [toTimestamp(now), toTimestamp(leasedUntil), limit])
  return rows.map(referencePayments.read)
}
