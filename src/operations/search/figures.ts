// A wallet's daily figures, from the counts of facets.
import type { Day } from '../../kernel/lisbon.ts'
import { type Database, type RowOf, type StoredRowOf, statement } from '../../storage/index.ts'
import { catchUp } from './indexer.ts'
import { operationDays, operationFacets } from './table.ts'

const figures = operationDays
  .pick('day', 'operations', 'amount')
  .with(operationFacets.pick('type', 'status', 'method', 'isOutgoing').fields)

export type DayFigure = RowOf<typeof figures>

const selectDays = statement<StoredRowOf<typeof figures>>(`
  select days.day, facets.type, facets.status, facets.method, facets.is_outgoing,
    sum(days.operations)::bigint as operations, sum(days.amount)::bigint as amount
  from operation_days as days
  join operation_facets as facets on facets.wallet_id = days.wallet_id and facets.facet = days.facet
  where days.wallet_id = $1 and days.day between $2::date and $3::date and days.operations > 0
  group by days.day, facets.type, facets.status, facets.method, facets.is_outgoing
  order by days.day`)

export async function figuresByDay(
  database: Database,
  walletId: bigint,
  { first, last }: { readonly first: Day; readonly last: Day },
): Promise<DayFigure[]> {
  await catchUp(database)
  return (await database.run(selectDays, [walletId, first, last])).map(figures.read)
}

const selectOpen = statement<{ operations: bigint; amount: bigint }>(`
  select coalesce(sum(days.operations), 0)::bigint as operations, coalesce(sum(days.amount), 0)::bigint as amount
  from operation_days as days
  where days.wallet_id = $1 and days.operations > 0 and days.facet in (
    select facet from operation_facets
    where wallet_id = $1 and type = 'PAYMENT' and status in ('NEW', 'PENDING') and method = 'MB'
  )`)

export async function openReferencePayments(
  database: Database,
  walletId: bigint,
): Promise<{ readonly count: number; readonly amount: bigint }> {
  await catchUp(database)
  const [row] = await database.run(selectOpen, [walletId])
  return { count: Number(row?.operations ?? 0n), amount: row?.amount ?? 0n }
}

/** Call `catchUp` before. `what` is SQL over `amount`; `wallet` and `link` are SQL of two ids. */
export function paidByLinkSql(what: string, wallet: string, link: string): string {
  return `(
    select ${what} from operation_links as paid
    where paid.wallet_id = ${wallet} and paid.payment_link_id = ${link} and paid.facet in (
      select facet from operation_facets
      where operation_facets.wallet_id = ${wallet} and operation_facets.status = 'COMPLETED'
    )
  )`
}
