// The order in which transactions began to write events: a program that reads them all never misses one (decision 0122).

export const sql = `
-- The number of the transaction that wrote it: once no transaction with a lower one is open, none can come before it.
-- What was written before this version stands at the beginning, by its id.
alter table events add column written_in bigint not null default 0;
alter table events alter column written_in set default pg_current_xact_id()::text::bigint;
create index events_in_order on events (wallet_id, written_in, id);

-- What is added to the numbers of transactions, in the default above too: a copy of the database that is restored on
-- another server counts its transactions anew, and goes on after the last event that it has.
create table event_order (
  is_only boolean primary key default true check (is_only),
  shift bigint not null
);
insert into event_order (shift) values (0);
`
