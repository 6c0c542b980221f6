// The SQL of allowances: one counter per mandate and month.
import type { Day } from '../../../kernel/lisbon.ts'
import type { Cents } from '../../../kernel/money.ts'
import { type Instant, toTimestamp } from '../../../kernel/time.ts'
import { type Executor, execute, hasRows, statement } from '../../../storage/index.ts'

export interface Reservation {
  readonly walletId: bigint
  readonly mandateId: string
  readonly id: string
  readonly amount: Cents
}

export function monthOf(day: Day): string {
  return day.slice(0, 7)
}

/** The lock keeps the mandate's state and limit unchanged between check and count. */
const lockedMandate = `
  select wallet_id, id, amount_limit from mandates
  where wallet_id = $1 and id = $2 and state = 'ACTIVE' and expiry_date >= $5
  for share`

const countUse = `
  insert into mandate_allowances (wallet_id, mandate_id, month, used)
  select wallet_id, id, $6, $4::bigint from mandate where amount_limit >= $4::bigint
  on conflict (wallet_id, mandate_id, month) do update set used = mandate_allowances.used + excluded.used
  where mandate_allowances.used + excluded.used <= (select amount_limit from mandate)
  returning wallet_id, mandate_id, month`

/**
 * Reserves `amount` in the month of `today`. Returns false if the mandate is not usable or too little is
 * left. Parallel reservations wait for each other.
 */
export const reserveAllowance = hasRows(
  ({ walletId, mandateId, id, amount }: Reservation, today: Day, now: Instant) => [
    ...[walletId, mandateId, id, amount, today, monthOf(today), toTimestamp(now)],
  ],
)`
  with mandate as (${lockedMandate}), counted as (${countUse})
  insert into mandate_reservations (wallet_id, id, mandate_id, month, amount, created_at)
  select wallet_id, $3::uuid, mandate_id, month, $4::bigint, $7 from counted
  returning id`

const selectMonth = statement<{ month: string }>(
  'select month from mandate_reservations where wallet_id = $1 and id = $2 for update',
)

/** Changes nothing if too little is left in the new month. */
const move = statement<{ id: string }>(`
  with mandate as (${lockedMandate}), counted as (${countUse}),
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
 * Moves a reservation to the month of `today`, because the request is sent again. Returns undefined without a
 * reservation. Returns false if too little is left in the month; then the reservation stays.
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
 * Like {@link reserveAllowance}, for a request that may have been sent: an existing reservation stays in any
 * case. {@link countAgain} moves it to a later month.
 */
export async function reserveAgain(
  tx: Executor,
  reservation: Reservation,
  today: Day,
  now: Instant,
): Promise<boolean> {
  return (await countAgain(tx, reservation, today)) ?? reserveAllowance(tx, reservation, today, now)
}

export const releaseAllowance = execute((walletId: bigint, id: string) => [walletId, id])`
  with gone as (
    delete from mandate_reservations where wallet_id = $1 and id = $2
    returning wallet_id, mandate_id, month, amount
  )
  update mandate_allowances set used = mandate_allowances.used - gone.amount
  from gone
  where mandate_allowances.wallet_id = gone.wallet_id and mandate_allowances.mandate_id = gone.mandate_id
    and mandate_allowances.month = gone.month
  returning mandate_allowances.mandate_id`

const selectUsable = statement<{ id: string }>(`
  select mandates.id
  from mandates
  left join mandate_allowances on mandate_allowances.wallet_id = mandates.wallet_id
    and mandate_allowances.mandate_id = mandates.id and mandate_allowances.month = $4
  where mandates.wallet_id = $1 and mandates.phone = $2 and mandates.type = 'ONECLICK'
    and mandates.state = 'ACTIVE' and mandates.expiry_date >= $3
    and mandates.amount_limit - coalesce(mandate_allowances.used, 0) >= $5
  order by mandates.id desc`)

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
