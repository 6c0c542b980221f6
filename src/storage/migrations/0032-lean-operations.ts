// Due times beside operations: settling moves no index, so that it is a HOT update; waiting work lies in small tables.

export const sql = `
-- What one statement opened, to be looked at when it is due. Nearly all of it is settled by then.
create table opened_movements (
  due_at timestamptz not null,
  -- Of the first of them.
  id uuid not null,
  wallet_ids bigint[] not null,
  operation_ids uuid[] not null,
  primary key (due_at, id),
  check (cardinality(wallet_ids) = cardinality(operation_ids))
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Movements that were open when they were due: the rail is asked about them, and how often it was.
create table movement_timers (
  wallet_id bigint not null,
  id uuid not null,
  due_at timestamptz not null,
  inquiries integer not null default 0,
  primary key (wallet_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
create index movement_timers_due on movement_timers (due_at);

-- Accepted authorizations until they have lapsed; due when the operation expires.
create table authorization_timers (
  due_at timestamptz not null,
  wallet_id bigint not null,
  id uuid not null,
  leased_until timestamptz,
  primary key (due_at, wallet_id, id)
);

update operations set expires = lapse_due_at where lapse_due_at is not null and expires is null;
insert into movement_timers (wallet_id, id, due_at, inquiries)
select wallet_id, id, due_at, inquiries from operations where due_at is not null;
insert into authorization_timers (due_at, wallet_id, id)
select expires, wallet_id, id from operations where lapse_due_at is not null;

drop index operations_due;
drop index operations_lapsing;
drop index operations_payouts_pending;
-- The checks that name these columns go with them; one of them said more.
alter table operations
  drop column due_at,
  drop column inquiries,
  drop column lapse_due_at,
  add constraint operations_taken check (
    (type = 'AUTH' and status = 'COMPLETED')
    or (captured = 0 and captures = 0 and released = 0 and lapsed_at is null)
  ),
  -- Operations that one statement opened, one statement settles: the page has room for both versions of each row.
  set (fillfactor = 50);
-- No status: an index that names it is written again by every settlement.
create index operations_payouts on operations (wallet_id, id) where type = 'WALLETFUNDS';
`
