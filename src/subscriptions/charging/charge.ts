// Accepts a charge and reserves its amount, in one statement.

import { sql } from 'kysely'
import {
  type Claim,
  type Created,
  claimOf,
  createdWithClaim,
  type IdempotencyKey,
  idempotencyClaimCte,
} from '../../idempotency/index.ts'
import { crashPoint } from '../../kernel/crash-points.ts'
import type { Day } from '../../kernel/lisbon.ts'
import { type Cents, cents } from '../../kernel/money.ts'
import { newId } from '../../kernel/random.ts'
import { deny, unwrap } from '../../kernel/result.ts'
import { type Client, type PaymentItem, withinLimits } from '../../operations/index.ts'
import {
  batched,
  column,
  type Database,
  type Executor,
  findFirst,
  type PageOfList,
  rowSet,
  selectPage,
  statement,
  storeFunction,
} from '../../storage/index.ts'
import type { SubscriptionsDeps } from '../deps.ts'
import { type Charge, charges, type NewCharge, type Subscription } from '../model.ts'
import { findSubscription } from '../store.ts'
import { mayCharge } from './rules.ts'

export interface ChargeDraft {
  readonly amount: Cents
  readonly extInvoiceId: string | undefined
  readonly items: readonly PaymentItem[] | undefined
  readonly client: Client | undefined
}

export interface ChargeRequest {
  readonly subscription: Subscription
  readonly draft: ChargeDraft
  readonly key: IdempotencyKey | undefined
  answer(charge: NewCharge): string
}

/** Undefined if the key was used before. Refusals: of {@link mayCharge}, the method's, limit_reached. */
export type AcceptCharge = (request: ChargeRequest) => Promise<Created | undefined>

/** If a parallel charge uses the rest, the charge is decided again. This rarely happens twice. */
const decisionsMax = 20

/** Charges of different subscriptions share a statement. */
export function createAcceptCharge(deps: SubscriptionsDeps): AcceptCharge {
  const { database, clock, random, wallets, methods } = deps
  const write = batched<AcceptedCharge, Acceptance>({
    database,
    aggregateOf: ({ charge }) => charge.subscriptionId,
    write: (rows) => acceptCharges(database, rows),
  })

  return async ({ subscription, draft, key, answer }) => {
    const now = clock.now()
    const charge: NewCharge = {
      ...draft,
      id: newId(now, random),
      walletId: subscription.walletId,
      subscriptionId: subscription.id,
      operationId: newId(now, random),
      currency: subscription.currency,
      createdAt: now,
    }
    const body = answer(charge)
    const href = `/api/v2/subscriptions/${charge.subscriptionId}/charge/${charge.id}`
    const claim = claimOf(key, { resourceId: charge.id, href, body })
    const wallet = await wallets.get(charge.walletId)
    unwrap(
      await withinLimits({ database, clock }, wallet, { amount: charge.amount, field: 'payment.amount' }),
    )
    const allowed = await methods.of(subscription.method)?.recurring?.allows?.(subscription, charge.amount)
    if (allowed !== undefined) unwrap(allowed)
    let current: Subscription | undefined = subscription
    for (let decisions = 0; decisions < decisionsMax && current !== undefined; decisions++) {
      const { day, cycle } = unwrap(mayCharge(current, charge.amount, clock.now()))
      const accepted = await write({ charge, cycle: cycle.index, day, claim })
      crashPoint('charge accepted, answer not sent')
      if (accepted !== 'refused') return createdWithClaim(accepted === 'accepted', body)
      current = await findSubscription(database, subscription.walletId, subscription.id)
    }
    return deny('service_unavailable', 'too many charges of this subscription at once: try again')
  }
}

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
 * Locks the subscription first, so a refused charge claims no key. The new sum is computed from the locked
 * row, because the snapshot of the statement may be older.
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

/** `repeated` (the key was used before) and `refused` mean that nothing was written. */
export type Acceptance = 'accepted' | 'repeated' | 'refused'

/** Accepts charges of different subscriptions. Returns a result for each row. */
async function acceptCharges(db: Executor, rows: readonly AcceptedCharge[]): Promise<Acceptance[]> {
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

export const findCharge = findFirst(charges, (walletId: bigint, subscriptionId: string, id: string) => [
  walletId,
  subscriptionId,
  id,
])`
  select * from charges where wallet_id = $1 and subscription_id = $2 and id = $3`

export const findChargeById = findFirst(charges, (walletId: bigint, id: string) => [walletId, id])`
  select * from charges where wallet_id = $1 and id = $2`

export const findChargeByOperation = findFirst(charges, (walletId: bigint, operationId: string) => [
  walletId,
  operationId,
])`
  select * from charges where wallet_id = $1 and operation_id = $2`

/** A page of charges, newest first, with the number of all charges. */
export async function listCharges(
  database: Database,
  { walletId, id }: Pick<Subscription, 'walletId' | 'id'>,
  page: PageOfList,
): Promise<{ readonly total: number; readonly charges: readonly Charge[] }> {
  const conditions = [sql`wallet_id = ${walletId}`, sql`subscription_id = ${id}`]
  const { total, rows } = await selectPage(database, charges, conditions, page)
  return { total, charges: rows }
}

/** Accepted charges without a payment yet, in cents. */
export const waitingCharges = storeFunction(
  ({ walletId, id }: Pick<Subscription, 'walletId' | 'id'>) => [walletId, id],
  ([row]: { amount: bigint }[]) => cents(row?.amount ?? 0n),
)`
  select coalesce(sum(amount), 0)::bigint as amount
  from charges where wallet_id = $1 and subscription_id = $2 and status = 'NEW'`

/** Number and total in cents of failed charges since `firstId`. */
export const failedCharges = storeFunction(
  (walletId: bigint, firstId: string) => [walletId, firstId],
  ([row]: { charges: bigint; amount: bigint }[]) => ({
    count: Number(row?.charges ?? 0n),
    amount: row?.amount ?? 0n,
  }),
)`
  select count(*) as charges, coalesce(sum(amount), 0)::bigint as amount
  from charges where wallet_id = $1 and id >= $2 and status = 'FAIL'`
