// Tables of events, deliveries and requests.

export const sql = `
create table events (
  wallet_id bigint not null,
  id uuid not null,
  kind text not null check (kind in ('operation', 'card_stored', 'mandate', 'subscription', 'charge', 'ping')),
  subject uuid not null,
  event text not null,
  payload text not null,
  digest bytea not null check (length(digest) = 32),
  created_at timestamptz not null,
  -- The transaction that wrote the event. Readers follow this order and miss no event, because none can appear before
  -- the oldest open transaction.
  written_in bigint not null default pg_current_xact_id()::text::bigint,
  traceparent text,
  primary key (wallet_id, id)
);
-- Also used by callback/verify. New subjects go to the end of the index, while an index of digests would change in
-- random pages.
create index events_by_subject on events (wallet_id, subject);
create index events_in_order on events (wallet_id, written_in, id);
create index events_by_transaction on events using brin (written_in);
create trigger events_append_only before update or delete or truncate on events
  for each statement execute function refuse_change();

-- Offset of transaction numbers: a copy that is restored on another server counts from one, and its events
-- must come after the existing ones.
create table event_order (
  is_only boolean primary key default true check (is_only),
  shift bigint not null
);
insert into event_order (shift) values (0);

-- One function instead of many checks. Each writing statement would first parse the text of all checks, which takes a
-- quarter of the statement time of a payment. PL/pgSQL compiles once per connection.
create function delivery_holds(
  endpoint text, url text, state text, due_at timestamptz, finished_at timestamptz, attempts integer,
  claim_id uuid, claimed_until timestamptz
) returns boolean language plpgsql immutable as $$
begin
  return
    endpoint in ('operation', 'wallet', 'card', 'mandate')
    and (endpoint in ('operation', 'mandate')) = (url is not null)
    and state in ('DUE', 'DELIVERED', 'GIVEN_UP', 'VERIFIED', 'NO_ENDPOINT')
    and (state = 'DUE') = (due_at is not null)
    and (state in ('DELIVERED', 'GIVEN_UP', 'VERIFIED')) = (finished_at is not null)
    and attempts between 0 and 13
    and (claim_id is null) = (claimed_until is null);
end $$;

create table deliveries (
  wallet_id bigint not null,
  event_id uuid not null,
  lane text not null,
  endpoint text not null,
  url text,
  state text not null,
  attempts integer not null default 0,
  due_at timestamptz,
  claim_id uuid,
  claimed_until timestamptz,
  last_status integer,
  last_error text,
  finished_at timestamptz,
  primary key (wallet_id, event_id),
  constraint deliveries_hold check (delivery_holds(
    endpoint, url, state, due_at, finished_at, attempts, claim_id, claimed_until
  ))
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
-- The next two indexes have no claimed or finished rows. Most deliveries are claimed when they are written, so they never
-- enter the indexes, and a claim costs the same after millions of them.
create index deliveries_due on deliveries (due_at) where state = 'DUE' and claim_id is null;
create index deliveries_due_by_lane on deliveries (wallet_id, lane, due_at) where state = 'DUE' and claim_id is null;
create index deliveries_claimed on deliveries (claimed_until) where claim_id is not null;
create index deliveries_failed on deliveries (wallet_id, event_id) where state in ('GIVEN_UP', 'NO_ENDPOINT');

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

-- Recent requests of merchants' programs.
create table request_log (
  wallet_id bigint not null,
  -- The tid of the answer; a UUIDv7, so that the newest are found by it.
  id uuid not null,
  answered_at timestamptz not null,
  key_id text not null,
  method text not null,
  route text not null,
  path text not null,
  status integer not null,
  code integer,
  duration_ms integer not null,
  address text,
  user_agent text,
  body text,
  answer text,
  primary key (wallet_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02);
create index request_log_failed on request_log (wallet_id, id) where status >= 400;
create index request_log_by_time on request_log (answered_at);
`
