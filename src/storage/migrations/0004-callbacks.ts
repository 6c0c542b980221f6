// What merchants are told: events frozen as they happened, their deliveries, and every attempt.

export const sql = `
create table events (
  wallet_id bigint not null,
  id uuid not null,
  kind text not null check (kind in ('operation', 'card_stored', 'mandate', 'subscription', 'charge')),
  subject uuid not null,
  event text not null,
  payload text not null,
  digest bytea not null check (length(digest) = 32),
  created_at timestamptz not null,
  primary key (wallet_id, id)
);
-- Serves callback/verify too: subjects grow with time, where an index on digests would be written all over.
create index events_by_subject on events (wallet_id, subject);
create trigger events_append_only before update or delete or truncate on events
  for each statement execute function refuse_change();

create table deliveries (
  wallet_id bigint not null,
  event_id uuid not null,
  lane text not null,
  endpoint text not null check (endpoint in ('operation', 'wallet', 'card', 'mandate')),
  url text,
  state text not null check (state in ('DUE', 'DELIVERED', 'GIVEN_UP', 'VERIFIED', 'NO_ENDPOINT')),
  attempts integer not null default 0 check (attempts between 0 and 13),
  due_at timestamptz,
  claim_id uuid,
  claimed_until timestamptz,
  last_status integer,
  last_error text,
  finished_at timestamptz,
  primary key (wallet_id, event_id),
  check ((endpoint in ('operation', 'mandate')) = (url is not null)),
  check ((state = 'DUE') = (due_at is not null)),
  check ((state in ('DELIVERED', 'GIVEN_UP', 'VERIFIED')) = (finished_at is not null)),
  check ((claim_id is null) = (claimed_until is null))
) with (fillfactor = 80);
-- Both hold only what is due, so that claiming costs the same after millions of finished deliveries.
create index deliveries_due on deliveries (due_at) where state = 'DUE';
create index deliveries_due_by_lane on deliveries (wallet_id, lane, due_at) where state = 'DUE';

create table delivery_attempts (
  wallet_id bigint not null,
  event_id uuid not null,
  id bigint generated always as identity,
  attempted_at timestamptz not null,
  http_status integer,
  error text,
  duration_ms integer not null check (duration_ms >= 0),
  primary key (wallet_id, event_id, id),
  check (http_status is not null or error is not null)
);
create trigger delivery_attempts_append_only before update or delete or truncate on delivery_attempts
  for each statement execute function refuse_change();
`
