// Audit: the tables of the search agree with the operations: blocks, links of payments, and totals of each day.
import { type AuditCheck, auditCheck } from '../../storage/index.ts'
import { blockOfSql } from './blocks.ts'

const facetColumns = ['type', 'status', 'method', 'channel', 'store']
const listOf = (table: string) => facetColumns.map((column) => `${table}.${column}`).join(', ')
const facetOfRow = `facets.wallet_id = operations.wallet_id
  and (${listOf('facets')}, facets.is_outgoing) is not distinct from (${listOf('operations')}, operations.amount < 0)`

const waitingSql = `
  select changed.wallet_id, changed.id
  from operation_changes
  cross join lateral unnest(wallet_ids, operation_ids) as changed (wallet_id, id)`

export const searchChecks: readonly AuditCheck[] = [
  auditCheck(
    'operations_are_searched_as_they_are',
    'operations',
    `with waiting as materialized (
       select distinct waiting.wallet_id, ${blockOfSql('waiting')} as first_id from (${waitingSql}) as waiting
     ),
     written as (
       select operations.wallet_id, ${blockOfSql('operations')} as first_id, facets.facet,
         (created_at at time zone 'Europe/Lisbon')::date as day, count(*) as operations, sum(abs(amount)) as amount,
         array_agg(distinct abs(amount)) as amounts
       from operations left join operation_facets as facets on ${facetOfRow}
       group by 1, 2, 3, 4
     )
     select coalesce(written.wallet_id, counted.wallet_id) || '/' || coalesce(written.first_id, counted.first_id) as subject,
       'has ' || coalesce(written.operations, 0) || ' operations of ' || coalesce(written.amount, 0)
         || ' cents of one kind, its block counts ' || coalesce(counted.operations, 0) || ' of '
         || coalesce(counted.amount, 0) as detail
     from written
     full join operation_blocks as counted
       on counted.wallet_id = written.wallet_id and counted.first_id = written.first_id
       and counted.facet = written.facet and counted.day = written.day
     left join waiting on waiting.wallet_id = coalesce(written.wallet_id, counted.wallet_id)
       and waiting.first_id = coalesce(written.first_id, counted.first_id)
     where waiting.wallet_id is null
       and (written.operations, written.amount, written.amounts)
         is distinct from (counted.operations::bigint, counted.amount::numeric, counted.amounts)`,
  ),
  auditCheck(
    'links_have_their_payments',
    'operation_links',
    `select coalesce(operations.id, linked.id)::text as subject,
       'is of link ' || coalesce(operations.payment_link_id::text, 'none') || ', and counted under '
         || coalesce(linked.payment_link_id::text, 'none') as detail
     from (select * from operations where payment_link_id is not null) as operations
     left join operation_facets as facets on ${facetOfRow}
     full join operation_links as linked on linked.wallet_id = operations.wallet_id
       and linked.payment_link_id = operations.payment_link_id and linked.id = operations.id
     left join (${waitingSql}) as waiting
       on waiting.wallet_id = coalesce(operations.wallet_id, linked.wallet_id) and waiting.id = coalesce(operations.id, linked.id)
     where waiting.id is null
       and (operations.id, facets.facet, abs(operations.amount)) is distinct from (linked.id, linked.facet, linked.amount)`,
  ),
  auditCheck(
    'days_count_what_is_searched',
    'operation_days',
    `select coalesce(found.wallet_id, counted.wallet_id) || '/' || coalesce(found.facet, counted.facet) as subject,
       'has ' || coalesce(found.operations, 0) || ' operations of ' || coalesce(found.amount, 0) || ' cents, its days say '
         || coalesce(counted.operations, 0) || ' of ' || coalesce(counted.amount, 0) as detail
     from (
       select wallet_id, facet, sum(operations) as operations, sum(amount) as amount
       from operation_blocks group by wallet_id, facet
     ) as found
     full join (
       select wallet_id, facet, sum(operations) as operations, sum(amount) as amount
       from operation_days group by wallet_id, facet
     ) as counted using (wallet_id, facet)
     where (coalesce(found.operations, 0), coalesce(found.amount, 0))
       is distinct from (coalesce(counted.operations, 0), coalesce(counted.amount, 0))`,
  ),
]
