// The SQL of allowances: a counter per mandate and month, reserved by a guarded statement and released once.
import type { Day } from '../../../../kernel/lisbon.ts'
import type { Cents } from '../../../../kernel/money.ts'
import { type Instant, toTimestamp } from '../../../../kernel/time.ts'
import { type Executor, statement } from '../../../../storage/index.ts'

export interface Reservation {
  readonly walletId: bigint
  readonly mandateId: string
  /** Identifies what is paid by it; released under the same id. */
  readonly id: string
  readonly amount: Cents
}

/** The Lisbon month of a Lisbon day. */
export function monthOf(day: Day): string {
  return day.slice(0, 7)
}

/** The mandate is locked, so that it is not suspended and its limit not lowered between the check and the counting. */
const counts = `
  mandate as (
    select wallet_id, id, amount_limit from mandates
    where wallet_id = $1 and id = $2 and state = 'ACTIVE' and expiry_date >= $5
    for share
  ),
  counted as (
    insert into mandate_allowances (wallet_id, mandate_id, month, used)
    select wallet_id, id, $6, $4::bigint from mandate where amount_limit >= $4::bigint
    on conflict (wallet_id, mandate_id, month) do update set used = mandate_allowances.used + excluded.used
    where mandate_allowances.used + excluded.used <= (select amount_limit from mandate)
    returning wallet_id, mandate_id, month
  )`

const reserve = statement<{ id: string }>(`
  with ${counts}
  insert into mandate_reservations (wallet_id, id, mandate_id, month, amount, created_at)
  select wallet_id, $3::uuid, mandate_id, month, $4::bigint, $7 from counted
  returning id`)

/**
 * Reserves `amount` of what the mandate allows in the month of `today`; false when it is not ACTIVE, past its
 * last day, or has not enough left. Concurrent reservations are counted one after the other.
 */
export async function reserveAllowance(
  db: Executor,
  { walletId, mandateId, id, amount }: Reservation,
  today: Day,
  now: Instant,
): Promise<boolean> {
  const parameters = [walletId, mandateId, id, amount, today, monthOf(today), toTimestamp(now)]
  return (await db.run(reserve, parameters)).length === 1
}

const selectMonth = statement<{ month: string }>(
  'select month from mandate_reservations where wallet_id = $1 and id = $2 for update',
)

/** Nothing changes where the new month has not enough left. */
const move = statement<{ id: string }>(`
  with ${counts},
  before as (
    update mandate_allowances set used = mandate_allowances.used - reserved.amount
    from mandate_reservations as reserved join counted using (wallet_id, mandate_id)
    where reserved.id = $3 and mandate_allowances.wallet_id = reserved.wallet_id
      and mandate_allowances.mandate_id = reserved.mandate_id and mandate_allowances.month = reserved.month
  )
  update mandate_reservations set month = $6 from counted
  where mandate_reservations.wallet_id = counted.wallet_id and mandate_reservations.id = $3
  returning id`)

/**
 * Counts what was reserved under an id in the month of `today`, where that is a later one: it is sent again. Undefined
 * where nothing is reserved; false where the month has not enough left, and what stands is kept.
 */
export async function countAgain(
  tx: Executor,
  { walletId, mandateId, id, amount }: Reservation,
  today: Day,
): Promise<boolean | undefined> {
  const [standing] = await tx.run(selectMonth, [walletId, id])
  if (standing === undefined) return undefined
  const month = monthOf(today)
  if (standing.month >= month) return true
  return (await tx.run(move, [walletId, mandateId, id, amount, today, month])).length === 1
}

/**
 * {@link reserveAllowance} of what may have been sent before: what stands is kept, whatever became of the mandate since,
 * for a request that is on its way may still be taken; in a later month it is {@link countAgain counted there}.
 */
export async function reserveAgain(
  tx: Executor,
  reservation: Reservation,
  today: Day,
  now: Instant,
): Promise<boolean> {
  return (await countAgain(tx, reservation, today)) ?? reserveAllowance(tx, reservation, today, now)
}

const release = statement<{ mandate_id: string }>(`
  with gone as (
    delete from mandate_reservations where wallet_id = $1 and id = $2
    returning wallet_id, mandate_id, month, amount
  )
  update mandate_allowances set used = mandate_allowances.used - gone.amount
  from gone
  where mandate_allowances.wallet_id = gone.wallet_id and mandate_allowances.mandate_id = gone.mandate_id
    and mandate_allowances.month = gone.month
  returning mandate_allowances.mandate_id`)

/** Releases what was reserved under `id` in the month of the reservation; repeated it changes nothing. */
export async function releaseAllowance(db: Executor, walletId: bigint, id: string): Promise<void> {
  await db.run(release, [walletId, id])
}

const selectUsable = statement<{ id: string }>(`
  select mandates.id
  from mandates
  left join mandate_allowances on mandate_allowances.wallet_id = mandates.wallet_id
    and mandate_allowances.mandate_id = mandates.id and mandate_allowances.month = $4
  where mandates.wallet_id = $1 and mandates.phone = $2 and mandates.type = 'ONECLICK'
    and mandates.state = 'ACTIVE' and mandates.expiry_date >= $3
    and mandates.amount_limit - coalesce(mandate_allowances.used, 0) >= $5
  order by mandates.id desc`)

/** ONECLICK mandates of the phone that seem to allow `amount` today; only reserving is certain. */
export async function usableMandates(
  db: Executor,
  walletId: bigint,
  phone: string,
  amount: Cents,
  today: Day,
): Promise<string[]> {
  const rows = await db.run(selectUsable, [walletId, phone, today, monthOf(today), amount])
  return rows.map(({ id }) => id)
}
