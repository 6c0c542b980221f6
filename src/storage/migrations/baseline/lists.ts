// Tables for lists and searches of operations.

export const sql = `
create table operation_counts (
  -- Each statement that opens operations adds a row, so that none waits. A worker merges a wallet's rows from time
  -- to time. Their sum is exact in every snapshot.
  wallet_id bigint not null,
  type text not null,
  id bigint generated always as identity,
  operations bigint not null check (operations > 0),
  primary key (wallet_id, type, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Changed operations for the worker: one row per statement, and no index.
create table changed_operations (
  wallet_ids bigint[] not null,
  operation_ids uuid[] not null,
  check (cardinality(wallet_ids) = cardinality(operation_ids))
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- A combination of all list filters. A wallet has some tens of them.
create table operation_facets (
  wallet_id bigint not null,
  facet bigint not null,
  type text not null,
  status text not null,
  method text,
  channel text not null,
  store bigint,
  is_outgoing boolean not null,
  primary key (wallet_id, facet)
);

create table operation_index (
  wallet_id bigint not null,
  id uuid not null,
  facet bigint not null,
  -- Cents without sign.
  amount bigint not null check (amount > 0),
  primary key (wallet_id, id)
) with (fillfactor = 80);
create index operation_index_by_facet on operation_index (wallet_id, facet, id) include (amount);
create index operation_index_by_amount on operation_index (wallet_id, facet, amount, id);

-- Searchable texts in lower case; facet and amount as in operation_index.
create table operation_terms (
  wallet_id bigint not null,
  term text collate "C" not null check (length(term) between 1 and 255),
  id uuid not null,
  facet bigint not null,
  amount bigint not null,
  primary key (wallet_id, term, id) include (facet, amount)
) with (fillfactor = 80);

-- Counts and totals of each facet by Lisbon day of creation.
create table operation_days (
  wallet_id bigint not null,
  day date not null,
  facet bigint not null,
  operations bigint not null,
  amount bigint not null,
  primary key (wallet_id, day, facet)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

create function note_changed_operations() returns trigger language plpgsql as $$
begin
  insert into changed_operations (wallet_ids, operation_ids)
  select array_agg(numbered.wallet_id), array_agg(numbered.id)
  from (select wallet_id, id, row_number() over () / 500 as part from written) as numbered
  group by numbered.part;
  return null;
end
$$;
create trigger operations_are_noted after insert on operations
  referencing new table as written
  for each statement execute function note_changed_operations();
create trigger operation_changes_are_noted after update on operations
  referencing new table as written
  for each statement execute function note_changed_operations();
`
