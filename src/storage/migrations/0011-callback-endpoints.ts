// Migration: further callback endpoints of a wallet, with their deliveries.

export const sql = `
-- The address of the wallet is number 1.
create table callback_endpoints (
  wallet_id bigint not null,
  id uuid not null unique,
  number integer not null check (number between 2 and 10),
  url text not null,
  description text,
  -- Empty: every kind.
  kinds text[] not null,
  -- The deliveries of a deleted endpoint go first, a few at a time.
  state text not null check (state in ('ACTIVE', 'PAUSED', 'DELETED')),
  password_sealed bytea not null,
  password_previous_sealed bytea,
  password_previous_until timestamptz,
  signing_sealed bytea not null,
  signing_previous_sealed bytea,
  signing_previous_until timestamptz,
  -- It has the matching events behind the first position, up to the second one.
  since_written_in bigint not null,
  since_event uuid not null,
  upto_written_in bigint not null,
  upto_event uuid not null,
  created_at timestamptz not null,
  modified_at timestamptz not null,
  primary key (wallet_id, id),
  check ((password_previous_sealed is null) = (password_previous_until is null)),
  check ((signing_previous_sealed is null) = (signing_previous_until is null))
) with (fillfactor = 70);
create unique index callback_endpoints_by_number on callback_endpoints (wallet_id, number) where state <> 'DELETED';

create table endpoint_deliveries (
  wallet_id bigint not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  state text not null check (state in ('DUE', 'DELIVERED', 'GIVEN_UP')),
  attempts integer not null default 0 check (attempts between 0 and 13),
  due_at timestamptz,
  claim_id uuid,
  claimed_until timestamptz,
  last_status integer,
  last_error text,
  finished_at timestamptz,
  primary key (wallet_id, endpoint_id, event_id),
  foreign key (wallet_id, endpoint_id) references callback_endpoints,
  check ((state = 'DUE') = (due_at is not null)),
  check ((state = 'DUE') = (finished_at is null)),
  check ((claim_id is null) = (claimed_until is null))
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
create index endpoint_deliveries_due on endpoint_deliveries (due_at) where state = 'DUE' and claim_id is null;
create index endpoint_deliveries_due_by_endpoint on endpoint_deliveries (wallet_id, endpoint_id, due_at, event_id)
  where state = 'DUE' and claim_id is null;
create index endpoint_deliveries_waiting on endpoint_deliveries (wallet_id, endpoint_id) where state = 'DUE';
create index endpoint_deliveries_claimed on endpoint_deliveries (claimed_until) where claim_id is not null;
create index endpoint_deliveries_given_up on endpoint_deliveries (wallet_id, endpoint_id, event_id) where state = 'GIVEN_UP';
create index endpoint_deliveries_finished on endpoint_deliveries (finished_at) where finished_at is not null;

create table endpoint_attempts (
  wallet_id bigint not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  id bigint generated always as identity,
  attempted_at timestamptz not null,
  http_status integer,
  error text,
  duration_ms integer not null check (duration_ms >= 0),
  primary key (wallet_id, endpoint_id, event_id, id),
  foreign key (wallet_id, endpoint_id, event_id) references endpoint_deliveries on delete cascade,
  check (http_status is not null or error is not null)
);
create index endpoint_attempts_by_time on endpoint_attempts (wallet_id, endpoint_id, attempted_at);
create index endpoint_attempts_received on endpoint_attempts (wallet_id, endpoint_id, attempted_at)
  where http_status between 200 and 299;
`
