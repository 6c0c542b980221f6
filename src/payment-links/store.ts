// SQL of payment links.
import { type RawBuilder, sql } from 'kysely'
import { type Claim, idempotencyClaimCte } from '../idempotency/index.ts'
import { type Instant, toTimestamp } from '../kernel/time.ts'
import { paidByLinkSql } from '../operations/index.ts'
import {
  type Database,
  execute,
  findFirst,
  hasRows,
  type PageOfList,
  rowSet,
  selectPage,
  storeFunction,
} from '../storage/index.ts'
import { type LinkStatus, linksWithUse, type PaymentLink, paymentLinks } from './model.ts'

const newLinks = rowSet({ ...paymentLinks.types, ...idempotencyClaimCte.columns })

export const insertLink = hasRows((link: PaymentLink, claim: Claim | undefined) =>
  newLinks.parameters([{ ...paymentLinks.write(link), ...idempotencyClaimCte.row(claim) }]),
)`
  with input as (${newLinks.source}),
  ${idempotencyClaimCte.sql('input')}
  insert into payment_links (${paymentLinks.list()})
  select ${paymentLinks.list()} from admitted
  returning id`

const paidBy = (what: string) => `(
  select ${what} from operations
  where operations.wallet_id = payment_links.wallet_id and operations.payment_link_id = payment_links.id
    and operations.status = 'COMPLETED'
)`
const countPaid = paidBy('count(*)::integer')
/** The count of an unlimited link is approximate, because it may have a million payments. */
const shownUse = (what: string, of: string) => `case
  when uses_max is null then ${paidByLinkSql(what.replaceAll('operations.', 'paid.'), 'payment_links.wallet_id', 'payment_links.id')}
  else ${of} end`
const sum = 'coalesce(sum(operations.amount), 0)::bigint'
const shownUses = shownUse('count(*)::integer', countPaid)
const shownSum = shownUse(sum, paidBy(sum))

export const findLink = findFirst(linksWithUse, (walletId: bigint, id: string) => [walletId, id])`
  select ${paymentLinks.list()}, ${shownUses} as uses, ${shownSum} as amount_paid
  from payment_links where wallet_id = $1 and id = $2`

/** Customers know only the code. Payments are counted only for links with a limit. */
export const findLinkForCustomer = findFirst(linksWithUse, (code: string) => [code])`
  select ${paymentLinks.list()}, case when uses_max is null then 0 else ${countPaid} end as uses, 0 as amount_paid
  from payment_links where code = $1`

export const closeLink = execute((walletId: bigint, id: string, now: Instant) => [
  walletId,
  id,
  toTimestamp(now),
])`
  update payment_links set closed_at = coalesce(closed_at, $3) where wallet_id = $1 and id = $2 returning id`

/** No other checkout of the link can open until the transaction ends. */
export const lockLink = execute(({ walletId, id }: PaymentLink) => [walletId, id])`
  select id from payment_links where wallet_id = $1 and id = $2 for update`

export const useOfLink = storeFunction(
  ({ walletId, id }: PaymentLink) => [walletId, id],
  ([row]: { closed_at: Date | null; taken: number; open: string | null }[]) => ({
    closed: row?.closed_at !== null,
    taken: row?.taken ?? 0,
    open: row?.open ?? undefined,
  }),
)`
  select closed_at, counted.*
  from payment_links
  cross join lateral (
    select count(*)::integer as taken,
      (array_agg(checkout_id order by id desc) filter (where status in ('NEW', 'PENDING')))[1] as open
    from operations
    where operations.wallet_id = payment_links.wallet_id and payment_link_id = payment_links.id
      and status in ('NEW', 'PENDING', 'COMPLETED') and payment_links.uses_max is not null
  ) as counted
  where wallet_id = $1 and id = $2`

export async function listLinks(
  database: Database,
  walletId: bigint,
  { statuses, now }: { readonly statuses?: readonly LinkStatus[] | undefined; readonly now: Instant },
  page: PageOfList,
): Promise<{ readonly total: number; readonly links: readonly PaymentLink[] }> {
  const also = { uses: sql.raw(shownUses), amount_paid: sql.raw(shownSum) }
  const conditions: RawBuilder<unknown>[] = [sql`wallet_id = ${walletId}`]
  if (statuses !== undefined) conditions.push(sql`(${statusSql(now)}) = any(${statuses})`)
  const { total, rows } = await selectPage(database, linksWithUse, conditions, page, { also })
  return { total, links: rows }
}

function statusSql(now: Instant): RawBuilder<unknown> {
  return sql`case
    when closed_at is not null then 'CLOSED'
    when uses_max is not null and ${sql.raw(countPaid)} >= uses_max then 'USED'
    when expires_at <= ${toTimestamp(now)} then 'EXPIRED'
    else 'ACTIVE' end`
}
