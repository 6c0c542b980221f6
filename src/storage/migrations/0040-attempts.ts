// Attempts whose rail did not answer in time, and those that were given up: one table in place of two.

export const sql = `
-- One request to a rail under one idempotency key. Most operations are settled before one is written.
create table attempts (
  wallet_id bigint not null,
  -- The rail's idempotency key: the operation's id, or that of the customer's attempt to pay it.
  id uuid not null,
  operation_id uuid not null,
  type text not null,
  method text not null,
  state text not null check (
    state in ('ASKED', 'APPROVED', 'DECLINED', 'GIVEN_UP', 'CLOSED', 'TO_REVERSE', 'REVERSED')
  ),
  -- How often it was taken up in its state.
  tries integer not null default 0,
  given_up_at timestamptz,
  ended_at timestamptz,
  due_at timestamptz,
  primary key (wallet_id, id),
  check ((state in ('ASKED', 'GIVEN_UP', 'TO_REVERSE')) = (due_at is not null)),
  check (state <> 'GIVEN_UP' or given_up_at is not null)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
create index attempts_due on attempts (due_at) where due_at is not null;
create index attempts_to_reverse on attempts (wallet_id) where state = 'TO_REVERSE';

insert into attempts (wallet_id, id, operation_id, type, method, state, tries, given_up_at, ended_at, due_at)
select wallet_id, id, operation_id, type, method,
  case state when 'WATCHED' then 'GIVEN_UP' when 'APPROVED' then 'TO_REVERSE' else state end,
  case state when 'WATCHED' then asked else tries end, noticed_at, ended_at, due_at
from late_requests;
-- An operation that was given up and had not failed yet is found by its attempt, which fails it.
insert into attempts (wallet_id, id, operation_id, type, method, state, tries, due_at)
select timers.wallet_id, timers.id, timers.id, operations.type, operations.method, 'ASKED', timers.inquiries, timers.due_at
from movement_timers as timers
join operations on operations.wallet_id = timers.wallet_id and operations.id = timers.id
where operations.settled_at is null
on conflict (wallet_id, id) do nothing;

drop table late_requests, movement_timers;
`
