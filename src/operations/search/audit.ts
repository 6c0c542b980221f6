// Audit: search finds each operation, and days count it.
import { type AuditCheck, auditCheck } from '../../storage/index.ts'

export const searchChecks: readonly AuditCheck[] = [
  auditCheck(
    'operations_are_searched_as_they_are',
    'operations',
    `with waiting as materialized (
       select changed.wallet_id, changed.id
       from changed_operations
       cross join lateral unnest(wallet_ids, operation_ids) as changed (wallet_id, id)
     )
     select operations.id::text as subject,
       'is ' || operations.type || ' ' || operations.status || ' of ' || operations.amount || ' cents, and searched as '
         || coalesce(facets.type || ' ' || facets.status || ' of ' || indexed.amount, 'nothing') as detail
     from operations
     left join operation_index as indexed on indexed.wallet_id = operations.wallet_id and indexed.id = operations.id
     left join operation_facets as facets on facets.wallet_id = indexed.wallet_id and facets.facet = indexed.facet
     left join waiting on waiting.wallet_id = operations.wallet_id and waiting.id = operations.id
     where waiting.id is null
       and (operations.type, operations.status, operations.method, operations.channel, operations.store,
           operations.amount)
         is distinct from (facets.type, facets.status, facets.method, facets.channel, facets.store,
           case when facets.is_outgoing then -indexed.amount else indexed.amount end)`,
  ),
  auditCheck(
    'days_count_what_is_searched',
    'operation_days',
    `select coalesce(found.wallet_id, counted.wallet_id) || '/' || coalesce(found.facet, counted.facet) as subject,
       'has ' || coalesce(found.operations, 0) || ' operations of ' || coalesce(found.amount, 0) || ' cents, its days say '
         || coalesce(counted.operations, 0) || ' of ' || coalesce(counted.amount, 0) as detail
     from (
       select wallet_id, facet, count(*) as operations, sum(amount) as amount
       from operation_index group by wallet_id, facet
     ) as found
     full join (
       select wallet_id, facet, sum(operations) as operations, sum(amount) as amount
       from operation_days group by wallet_id, facet
     ) as counted using (wallet_id, facet)
     where (coalesce(found.operations, 0), coalesce(found.amount, 0))
       is distinct from (coalesce(counted.operations, 0), coalesce(counted.amount, 0))`,
  ),
]
