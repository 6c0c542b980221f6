// The SQL of charges: accepted with the allowance they use, read, claimed to be processed, failed.
import { sql } from 'kysely'
import { type Claim, idempotencyClaimCte } from '../../idempotency/index.ts'
import type { Day } from '../../kernel/lisbon.ts'
import { type Cents, cents } from '../../kernel/money.ts'
import {
  column,
  type Database,
  type Executor,
  type PageOfList,
  rowSet,
  type StoredRowOf,
  selectPage,
  statement,
} from '../../storage/index.ts'
import { type Charge, charges, type NewCharge, type Subscription } from '../model.ts'

type ChargeRow = StoredRowOf<typeof charges>

/** A charge with the cycle it was decided in, and the idempotency key that asked for it. */
export interface AcceptedCharge {
  readonly charge: NewCharge
  readonly cycle: number
  readonly day: Day
  readonly claim: Claim | undefined
}

const newCharges = charges
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
    'client',
    'createdAt',
  )
  .with({ day: column.text<Day>() })
const newChargeSet = rowSet({ ...newCharges.types, ...idempotencyClaimCte.columns })

/**
 * The subscription is locked before anything is decided, so a charge beyond its allowance claims no
 * idempotency key. The rules refuse with reasons; their bounds are repeated here for a charge that read too early. A clock
 * behind the one that opened a new cycle counts as that cycle. The new sum is made from the locked row: an update
 * first computes from the row of its snapshot (before EvalPlanQual reads the newest one), which lacks what failed
 * charges have released, and would break the table's checks with a wrong sum.
 */
const acceptRows = statement<{ id: string; accepted: boolean }>(`
  with input as (${newChargeSet.source}),
  held as (
    select subscriptions.*
    from subscriptions join input
      on subscriptions.wallet_id = input.wallet_id and subscriptions.id = input.subscription_id
    order by subscriptions.wallet_id, subscriptions.id
    for no key update of subscriptions
  ),
  within_allowance as (
    select input.*
    from input join held on held.wallet_id = input.wallet_id and held.id = input.subscription_id
    where held.status = 'APPROVED'
      and input.day >= held.start_date and (held.end_date is null or input.day <= held.end_date)
      and input.amount + case when held.cycle >= input.cycle then held.cycle_charged else 0 end <= held.amount
  ),
  ${idempotencyClaimCte.sql('within_allowance')},
  reserved as (
    update subscriptions set
      cycle = greatest(held.cycle, admitted.cycle),
      cycle_charged = admitted.amount + case when held.cycle >= admitted.cycle then held.cycle_charged else 0 end
    from admitted join held on held.wallet_id = admitted.wallet_id and held.id = admitted.subscription_id
    where subscriptions.wallet_id = held.wallet_id and subscriptions.id = held.id
    returning admitted.id, subscriptions.cycle
  ),
  accepted as (
    insert into charges (
      id, wallet_id, subscription_id, operation_id, status, amount, currency, cycle, ext_invoiceid, items,
      client, created_at, modified_at, due_at
    )
    select admitted.id, wallet_id, subscription_id, operation_id, 'NEW', amount, currency, reserved.cycle,
      ext_invoiceid, items, client, created_at, created_at, created_at
    from admitted join reserved on reserved.id = admitted.id
    returning id
  )
  select within_allowance.id, accepted.id is not null as accepted
  from within_allowance left join accepted on accepted.id = within_allowance.id`)

/** `repeated`: its idempotency key was used before; `refused`: not within its subscription. Neither wrote anything. */
export type Acceptance = 'accepted' | 'repeated' | 'refused'

/** Accepts charges of different subscriptions, each with the allowance it uses; answers per row. */
export async function acceptCharges(db: Executor, rows: readonly AcceptedCharge[]): Promise<Acceptance[]> {
  const written = await db.run(acceptRows, newChargeSet.parameters(rows.map(acceptedRow)))
  const accepted = new Map(written.map((row) => [row.id, row.accepted]))
  return rows.map(({ charge: { id } }) => {
    const isAccepted = accepted.get(id)
    return isAccepted === undefined ? 'refused' : isAccepted ? 'accepted' : 'repeated'
  })
}

function acceptedRow({ charge, cycle, day, claim }: AcceptedCharge) {
  return { ...newCharges.write({ ...charge, cycle, day }), ...idempotencyClaimCte.row(claim) }
}

const selectRow = statement<ChargeRow>(`
  select * from charges where wallet_id = $1 and subscription_id = $2 and id = $3`)

/** The charge of the wallet's subscription, if it has one with that id. */
export async function findCharge(
  db: Executor,
  walletId: bigint,
  subscriptionId: string,
  id: string,
): Promise<Charge | undefined> {
  return charges.first(await db.run(selectRow, [walletId, subscriptionId, id]))
}

const selectById = statement<ChargeRow>('select * from charges where wallet_id = $1 and id = $2')

/** The wallet's charge, whatever its subscription. */
export async function findChargeById(
  db: Executor,
  walletId: bigint,
  id: string,
): Promise<Charge | undefined> {
  return charges.first(await db.run(selectById, [walletId, id]))
}

const selectByOperation = statement<ChargeRow>(`
  select * from charges where wallet_id = $1 and operation_id = $2`)

/** The charge that becomes this payment. */
export async function findChargeByOperation(
  db: Executor,
  walletId: bigint,
  operationId: string,
): Promise<Charge | undefined> {
  return charges.first(await db.run(selectByOperation, [walletId, operationId]))
}

/** The charges of a subscription, newest first, with the count of them all. */
export async function listCharges(
  database: Database,
  { walletId, id }: Pick<Subscription, 'walletId' | 'id'>,
  page: PageOfList,
): Promise<{ readonly total: number; readonly charges: readonly Charge[] }> {
  const conditions = [sql`wallet_id = ${walletId}`, sql`subscription_id = ${id}`]
  const { total, rows } = await selectPage(database, charges, conditions, page)
  return { total, charges: rows }
}

const sumNew = statement<{ amount: bigint }>(`
  select coalesce(sum(amount), 0)::bigint as amount
  from charges where wallet_id = $1 and subscription_id = $2 and status = 'NEW'`)

/** What charges of a subscription add up to that were accepted and not begun, in cents. */
export async function waitingCharges(
  db: Executor,
  { walletId, id }: Pick<Subscription, 'walletId' | 'id'>,
): Promise<Cents> {
  const [row] = await db.run(sumNew, [walletId, id])
  return cents(row?.amount ?? 0n)
}

const countFailed = statement<{ charges: bigint; amount: bigint }>(`
  select count(*) as charges, coalesce(sum(amount), 0)::bigint as amount
  from charges where wallet_id = $1 and id >= $2 and status = 'FAIL'`)

/** Charges of the wallet that failed, of those made since `firstId`, and what they add up to, in cents. */
export async function failedCharges(
  db: Executor,
  walletId: bigint,
  firstId: string,
): Promise<{ readonly count: number; readonly amount: bigint }> {
  const [row] = await db.run(countFailed, [walletId, firstId])
  return { count: Number(row?.charges ?? 0n), amount: row?.amount ?? 0n }
}
