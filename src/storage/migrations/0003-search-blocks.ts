// Search by blocks of operations in place of a row and some terms for each operation.

/** The same text as in `search/texts.ts`, whose queries use these indexes. */
const searched = (column: string) => `(left(lower(${column}), 100) collate "C")`

export const sql = `
-- Neighbouring operations of one wallet, counted by facet and Lisbon day. A block reaches from its first id to the
-- next block's; a wallet's first block begins with the lowest id.
create table operation_blocks (
  wallet_id bigint not null,
  first_id uuid not null,
  facet bigint not null,
  day date not null,
  operations integer not null check (operations > 0),
  -- Cents without sign: the total, and each amount once.
  amount bigint not null,
  amounts bigint[] not null,
  primary key (wallet_id, first_id, facet, day)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
create index operation_blocks_by_facet on operation_blocks (wallet_id, facet, first_id);

-- Payments through a link: an unlimited link may have a million.
create table operation_links (
  wallet_id bigint not null,
  payment_link_id uuid not null,
  id uuid not null,
  facet bigint not null,
  amount bigint not null,
  primary key (wallet_id, payment_link_id, id) include (facet, amount)
) with (fillfactor = 80);

-- Changed operations for the worker: one row per statement, and no index.
create table operation_changes (
  wallet_ids bigint[] not null,
  operation_ids uuid[] not null,
  check (cardinality(wallet_ids) = cardinality(operation_ids))
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- A process of the previous version finds no change to index from here on, so it does not count any twice.
create or replace function note_changed_operations() returns trigger language plpgsql as $$
begin
  insert into operation_changes (wallet_ids, operation_ids)
  select array_agg(numbered.wallet_id), array_agg(numbered.id)
  from (select wallet_id, id, row_number() over () / 500 as part from written) as numbered
  group by numbered.part;
  return null;
end
$$;
truncate changed_operations, operation_days;

-- Each wallet's block without a count reaches over all its operations. The worker counts it, the newest first.
insert into operation_changes (wallet_ids, operation_ids)
select array[id], array['00000000-0000-0000-0000-000000000000'::uuid] from wallets;

-- Their successors are built after this step.
drop index operations_by_invoice, operations_by_phone, operations_by_mb_ref;
`

const searchedColumns = {
  invoice: 'ext_invoiceid',
  customer: 'ext_customerid',
  employee: 'ext_employee',
  email: 'ext_email',
  phone: 'phone',
  reference: 'mb_ref',
  client_email: "client ->> 'email'",
  client_phone: "client ->> 'phone'",
}

export const indexes = {
  ...Object.fromEntries(
    Object.entries(searchedColumns).map(([name, column]) => [
      `operations_by_searched_${name}`,
      `operations (wallet_id, ${searched(column)}, id) where (${column}) is not null`,
    ]),
  ),
  operations_of_subscription: 'operations (wallet_id, subscription_id, id) where subscription_id is not null',
}
