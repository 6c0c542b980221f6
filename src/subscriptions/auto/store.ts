// The SQL of automatic charges.
import { eventColumns, eventRow, type NewEvent, recordEventsSql } from '../../callbacks/index.ts'
import type { Day } from '../../kernel/lisbon.ts'
import { firstIdOf } from '../../kernel/random.ts'
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import {
  column,
  type Executor,
  execute,
  findFirst,
  hasRows,
  rowSet,
  type StoredRowOf,
  statement,
} from '../../storage/index.ts'
import { charges, type NewCharge, type NewSubscription, type Subscription, subscriptions } from '../model.ts'
import { type AutoCharge, type AutoChargeTerms, autoCharges, type Outcome } from './model.ts'
import { type Attempt, chargeMomentOn, numberedReference } from './rules.ts'

const whole = autoCharges.whole

const newAutoCharges = whole.pick(
  'walletId',
  'subscriptionId',
  'status',
  'amount',
  'extInvoiceId',
  'items',
  'maxCharges',
  'retries',
  'nextCycle',
  'createdAt',
  'modifiedAt',
  'dueAt',
)

export interface NewAutoCharge extends AutoChargeTerms {
  readonly walletId: bigint
  readonly subscriptionId: string
  readonly status: AutoCharge['status']
  readonly nextCycle: number
  readonly dueAt: Instant | undefined
}

export const insertAutoCharge = execute((fresh: NewAutoCharge, now: Instant) =>
  newAutoCharges.values({ ...fresh, createdAt: now, modifiedAt: now }),
)`
  insert into auto_charges (${newAutoCharges.list()}) values (${newAutoCharges.placeholders()})
  on conflict do nothing`

/** As it is stored with a subscription that the customer has not accepted. */
export function openedAutoCharge({
  autoCharge,
  walletId,
  id: subscriptionId,
}: NewSubscription): AutoCharge | undefined {
  if (autoCharge === undefined) return undefined
  return { ...autoCharge, walletId, subscriptionId, status: 'NEW', number: 0, attempt: 0, nextCycle: 0 }
}

export const findAutoCharge = findFirst(
  autoCharges,
  ({ walletId, id }: Pick<Subscription, 'walletId' | 'id'>) => [walletId, id],
)`
  select ${autoCharges.list()} from auto_charges where wallet_id = $1 and subscription_id = $2`

/** Before its schedule: charges lock them in this order. */
export const lockSubscription = findFirst(
  subscriptions,
  ({ walletId, id }: Pick<Subscription, 'walletId' | 'id'>) => [walletId, id],
)`
  select * from subscriptions where wallet_id = $1 and id = $2 for no key update`

export const lockAutoCharge = findFirst(
  autoCharges,
  ({ walletId, id }: Pick<Subscription, 'walletId' | 'id'>) => [walletId, id],
)`
  select ${autoCharges.list()} from auto_charges where wallet_id = $1 and subscription_id = $2 for no key update`

/** The charge as it fails now: after a pause or an end no further attempt is promised. */
export async function withoutLostRetry<Shape extends NewCharge>(db: Executor, charge: Shape): Promise<Shape> {
  if (charge.retryOn === undefined) return charge
  const auto = await findAutoCharge(db, { walletId: charge.walletId, id: charge.subscriptionId })
  return auto?.status === 'ACTIVE' ? charge : { ...charge, retryOn: undefined }
}

const countAttempts = statement<{ attempts: bigint }>(`
  select count(*) as attempts from charged_cycles
  where wallet_id = $1 and subscription_id = $2 and cycle = $3 and attempt > 1 and charge_id >= $4`)

/** Attempts after the first one of the cycle, since that moment. */
export async function repeatedSince(
  db: Executor,
  { walletId, subscriptionId, cycle }: AutoCharge,
  from: Instant,
): Promise<number> {
  const [row] = await db.run(countAttempts, [walletId, subscriptionId, cycle ?? 0, firstIdOf(from)])
  return Number(row?.attempts ?? 0n)
}

const claimRows = statement<StoredRowOf<typeof autoCharges>>(`
  update auto_charges set due_at = $2
  where (wallet_id, subscription_id) in (
    select wallet_id, subscription_id from auto_charges where due_at <= $1
    order by due_at limit $3 for update skip locked
  )
  returning ${autoCharges.list()}`)

/** Leased until `leasedUntil`, which is then their `dueAt`. A change of the schedule ends the lease. */
export async function claimDueAutoCharges(
  db: Executor,
  now: Instant,
  leasedUntil: Instant,
  limit: number,
): Promise<readonly AutoCharge[]> {
  return (await db.run(claimRows, [toTimestamp(now), toTimestamp(leasedUntil), limit])).map(autoCharges.read)
}

const postponed = rowSet({
  wallet_id: 'bigint',
  subscription_id: 'uuid',
  leased_until: 'timestamptz',
  outcome: 'text',
  ends: 'boolean',
  due_at: 'timestamptz',
})

const postponeRows = statement(`
  with input as (${postponed.source})
  update auto_charges set
    outcome = input.outcome,
    status = case when input.ends then 'ENDED' else auto_charges.status end,
    due_at = input.due_at
  from input
  where auto_charges.wallet_id = input.wallet_id and auto_charges.subscription_id = input.subscription_id
    and auto_charges.due_at = input.leased_until`)

export interface Postponed {
  readonly auto: AutoCharge
  readonly outcome: Outcome | undefined
  readonly ends: boolean
  readonly dueAt: Instant | undefined
}

/** Nothing is stored if the lease has ended. */
export async function postponeAll(db: Executor, rows: readonly Postponed[]): Promise<undefined[]> {
  const input = rows.map(({ auto, outcome, ends, dueAt }) => ({
    wallet_id: auto.walletId,
    subscription_id: auto.subscriptionId,
    leased_until: timestampOf(auto.dueAt),
    outcome: outcome ?? null,
    ends,
    due_at: timestampOf(dueAt),
  }))
  await db.run(postponeRows, postponed.parameters(input))
  return rows.map(() => undefined)
}

function timestampOf(moment: Instant | undefined): string | null {
  return moment === undefined ? null : toTimestamp(moment)
}

const attemptFields = charges
  .pick(
    'id',
    'walletId',
    'subscriptionId',
    'operationId',
    'amount',
    'currency',
    'cycle',
    'extInvoiceId',
    'items',
    'number',
    'attempt',
    'retryOn',
    'nextOn',
    'createdAt',
  )
  .with({
    error: column.text().optional(),
    day: column.text<Day>(),
    firstOn: column.text<Day>(),
    nextDueAt: column.instant().optional(),
    leasedUntil: column.instant().optional(),
  })

const attemptSet = rowSet({ ...attemptFields.types, ...eventColumns })

export interface PlannedCharge {
  readonly auto: AutoCharge
  readonly charge: NewCharge
  readonly attempt: Attempt
  /** A refusal before any rail is asked. */
  readonly error: string | undefined
  /** Recorded if the charge fails here. */
  readonly failure: NewEvent
}

/**
 * Makes each charge, or records that it fails because the allowance is used up. As in the merchant's charges, the subscription is
 * locked first. Nothing is written if the lease has ended, or if a charge of the cycle has not failed.
 */
const chargeRows = statement<{ id: string; failed: boolean }>(`
  with input as (${attemptSet.source}),
  held as (
    select subscriptions.*
    from subscriptions join input
      on subscriptions.wallet_id = input.wallet_id and subscriptions.id = input.subscription_id
    order by subscriptions.wallet_id, subscriptions.id
    for no key update of subscriptions
  ),
  decided as (
    select input.*, held.cycle as held_cycle,
      case when held.cycle >= input.cycle then held.cycle_charged else 0 end as used,
      coalesce(input.error, case
        when input.amount + case when held.cycle >= input.cycle then held.cycle_charged else 0 end > held.amount
        then 'period_total_reached'
      end) as refusal
    from input join held on held.wallet_id = input.wallet_id and held.id = input.subscription_id
    where held.status = 'APPROVED' and input.day >= held.start_date
      and (held.end_date is null or input.day <= held.end_date)
  ),
  turned as (
    update auto_charges set
      cycle = decided.cycle, number = decided.number, attempt = decided.attempt, charge_id = decided.id,
      charged_amount = decided.amount,
      first_on = decided.first_on, retry_on = decided.retry_on, next_cycle = decided.cycle + 1,
      outcome = case when decided.refusal is null then 'CHARGING' else 'REFUSED' end,
      error = decided.refusal,
      due_at = case when decided.refusal is null then decided.next_due_at else decided.created_at end,
      modified_at = decided.created_at
    from decided
    where auto_charges.wallet_id = decided.wallet_id and auto_charges.subscription_id = decided.subscription_id
      and auto_charges.due_at = decided.leased_until
      and not exists (
        select from charged_cycles
        join charges on charges.wallet_id = charged_cycles.wallet_id and charges.id = charged_cycles.charge_id
        where charged_cycles.wallet_id = decided.wallet_id
          and charged_cycles.subscription_id = decided.subscription_id
          and charged_cycles.cycle = decided.cycle and charges.status <> 'FAIL'
      )
    returning decided.*
  ),
  keyed as (
    insert into charged_cycles (wallet_id, subscription_id, cycle, attempt, charge_id)
    select wallet_id, subscription_id, cycle, attempt, id from turned
  ),
  reserved as (
    update subscriptions set
      cycle = greatest(turned.held_cycle, turned.cycle),
      cycle_charged = turned.amount + turned.used
    from turned
    where subscriptions.wallet_id = turned.wallet_id and subscriptions.id = turned.subscription_id
      and turned.refusal is null
  ),
  made as (
    insert into charges (
      id, wallet_id, subscription_id, operation_id, status, amount, currency, cycle, ext_invoiceid, items, error,
      number, attempt, retry_on, next_on, created_at, modified_at, due_at
    )
    select id, wallet_id, subscription_id, operation_id, case when refusal is null then 'NEW' else 'FAIL' end,
      amount, currency, cycle, ext_invoiceid, items, refusal, number, attempt, retry_on, next_on, created_at,
      created_at, case when refusal is null then created_at end
    from turned
  ),
  failed as (select * from turned where refusal is not null),
  ${recordEventsSql('failed')}
  select id, refusal is not null as failed from turned`)

export type Charged = 'made' | 'failed' | 'changed'

/** For different subscriptions; answers for each row. */
export async function chargeCycles(db: Executor, rows: readonly PlannedCharge[]): Promise<Charged[]> {
  const input = rows.map(({ auto, charge, attempt, error, failure }) => ({
    ...attemptFields.write({
      ...charge,
      ...attempt,
      extInvoiceId: numberedReference(auto.extInvoiceId, attempt.number),
      error,
      nextDueAt: attempt.nextOn === undefined ? undefined : chargeMomentOn(attempt.nextOn),
      leasedUntil: auto.dueAt,
    }),
    ...eventRow(failure),
  }))
  const written = await db.run(chargeRows, attemptSet.parameters(input))
  const failed = new Map(written.map((row) => [row.id, row.failed]))
  return rows.map(({ charge: { id } }) => {
    const isFailed = failed.get(id)
    return isFailed === undefined ? 'changed' : isFailed ? 'failed' : 'made'
  })
}

/** For cycles that are not charged yet. A schedule that ended continues from `nextCycle`. */
export const changeTerms = findFirst(
  autoCharges,
  (
    { walletId, subscriptionId }: Pick<AutoCharge, 'walletId' | 'subscriptionId'>,
    terms: AutoChargeTerms,
    nextCycle: number,
    now: Instant,
  ) => [
    walletId,
    subscriptionId,
    terms.amount,
    terms.extInvoiceId ?? null,
    terms.items === undefined ? null : JSON.stringify(terms.items),
    terms.maxCharges ?? null,
    JSON.stringify(terms.retries),
    nextCycle,
    toTimestamp(now),
  ],
)`
  update auto_charges set
    amount = $3, ext_invoiceid = $4, items = $5::jsonb, max_charges = $6, retries = $7::jsonb, modified_at = $9,
    next_cycle = case status when 'ENDED' then greatest(next_cycle, $8::integer) else next_cycle end,
    status = case status when 'ENDED' then 'ACTIVE' else status end, stopped_at = null,
    due_at = case when status in ('ACTIVE', 'ENDED') then $9::timestamptz end
  where wallet_id = $1 and subscription_id = $2
  returning ${autoCharges.list()}`

export const pauseAutoCharge = findFirst(
  autoCharges,
  ({ walletId, subscriptionId }: AutoCharge, now: Instant) => [walletId, subscriptionId, toTimestamp(now)],
)`
  update auto_charges set status = 'PAUSED', due_at = null, modified_at = $3
  where wallet_id = $1 and subscription_id = $2 and status = 'ACTIVE'
  returning ${autoCharges.list()}`

export const resumeAutoCharge = findFirst(
  autoCharges,
  ({ walletId, subscriptionId }: AutoCharge, nextCycle: number, now: Instant) => [
    walletId,
    subscriptionId,
    nextCycle,
    toTimestamp(now),
  ],
)`
  update auto_charges set
    status = 'ACTIVE', next_cycle = greatest(next_cycle, $3::integer), due_at = $4, modified_at = $4
  where wallet_id = $1 and subscription_id = $2 and status = 'PAUSED'
  returning ${autoCharges.list()}`

export const endAutoCharge = execute(({ walletId, subscriptionId }: AutoCharge, now: Instant) => [
  walletId,
  subscriptionId,
  toTimestamp(now),
])`
  update auto_charges set
    status = 'ENDED', due_at = null, modified_at = $3, stopped_at = $3,
    outcome = case when outcome in ('REFUSED', 'RETRYING') then 'FAILED' else outcome end
  where wallet_id = $1 and subscription_id = $2 and stopped_at is null`

export const markAutoCharged = execute(({ walletId, id }: Pick<Subscription, 'walletId' | 'id'>) => [
  walletId,
  id,
])`
  update subscriptions set auto_charged = true where wallet_id = $1 and id = $2`

/** The customer asks for the open charge now. The caller has locked the schedule. */
export const retryNow = hasRows(({ walletId, subscriptionId, chargeId }: AutoCharge, now: Instant) => [
  walletId,
  subscriptionId,
  chargeId ?? null,
  toTimestamp(now),
])`
  update auto_charges set status = 'ACTIVE', outcome = 'RETRYING', retry_on = null, due_at = $4, modified_at = $4
  where wallet_id = $1 and subscription_id = $2 and charge_id = $3 and stopped_at is null
    and status in ('ACTIVE', 'ENDED') and outcome in ('RETRYING', 'FAILED')
  returning subscription_id`
