// The pretend outside world's own memory: its clock, what its acquirer decided, its issuer's challenges.

export const sql = `
-- How far the sandbox's time runs ahead of the machine's. One row; it only grows.
create table sandbox_clock (
  only_row boolean primary key default true check (only_row),
  offset_ms bigint not null default 0 check (offset_ms >= 0)
);
insert into sandbox_clock default values;

-- The acquirer's books, keyed by its clients' idempotency keys. No card number and no CVV is ever here.
create table sandbox_authorisations (
  key uuid primary key,
  merchant_id bigint not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  intent text not null check (intent in ('sale', 'hold')),
  last4 text not null check (length(last4) = 4),
  decline text,
  reference text not null,
  approval_code text,
  decided_at timestamptz not null,
  check ((decline is null) = (approval_code is not null))
);

create table sandbox_challenges (
  acs_trans_id uuid primary key,
  three_ds_server_trans_id uuid not null unique,
  ds_trans_id uuid not null,
  message_version text not null,
  message_category text not null check (message_category in ('01', '02')),
  merchant_name text not null,
  amount bigint,
  currency text,
  brand text not null,
  last4 text not null check (length(last4) = 4),
  otp text not null,
  state text not null check (state in ('open', 'authenticated', 'failed', 'cancelled', 'expired')),
  attempts_left integer not null check (attempts_left >= 0),
  interactions integer not null default 0,
  authentication_value text,
  -- Where the result is reported, secret included; emptied once the report was received.
  three_ds_server_url text,
  notification_url text not null,
  session_data text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  reported_at timestamptz,
  check ((reported_at is null) = (three_ds_server_url is not null)),
  check ((state = 'authenticated') = (authentication_value is not null)),
  check (reported_at is null or state <> 'open')
);
create index sandbox_challenges_open on sandbox_challenges (expires_at) where state = 'open';
`
