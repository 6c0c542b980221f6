// Tables of people, teams, their actions, and audit runs.

export const sql = `
create schema backoffice;

create table backoffice.users (
  id text primary key,
  name text not null,
  email text not null unique check (email = lower(email)),
  email_verified boolean not null,
  image text,
  two_factor_enabled boolean,
  -- Operators of the gateway have no merchant.
  is_operator boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  signed_in_at timestamptz
);

create table backoffice.sessions (
  id text primary key,
  user_id text not null references backoffice.users on delete cascade,
  token text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  -- Last password or code check; null: at sign-in.
  confirmed_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  seen_at timestamptz
);
create index sessions_user on backoffice.sessions (user_id);

create table backoffice.accounts (
  id text primary key,
  user_id text not null references backoffice.users on delete cascade,
  account_id text not null,
  provider_id text not null,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index accounts_user on backoffice.accounts (user_id);

create table backoffice.verifications (
  id text primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index verifications_identifier on backoffice.verifications (identifier);

create table backoffice.two_factors (
  id text primary key,
  user_id text not null references backoffice.users on delete cascade,
  secret text not null,
  backup_codes text not null,
  verified boolean,
  failed_verification_count integer,
  locked_until timestamptz
);
create index two_factors_user on backoffice.two_factors (user_id);

create table backoffice.passkeys (
  id text primary key,
  user_id text not null references backoffice.users on delete cascade,
  name text,
  public_key text not null,
  credential_id text not null unique,
  counter bigint not null,
  device_type text not null,
  backed_up boolean not null,
  transports text,
  aaguid text,
  created_at timestamptz
);
create index passkeys_user on backoffice.passkeys (user_id);

create table backoffice.members (
  wallet_id bigint not null references wallets (id),
  user_id text not null references backoffice.users on delete cascade,
  role text not null check (role in ('owner', 'finance', 'support', 'developer', 'read_only')),
  created_at timestamptz not null,
  primary key (wallet_id, user_id)
);
create index members_user on backoffice.members (user_id);

create table backoffice.team_rules (
  wallet_id bigint primary key references wallets (id) on delete cascade,
  two_factor boolean not null
);

-- Invitations and password links; each works once.
create table backoffice.one_time_links (
  digest bytea primary key,
  purpose text not null check (purpose in ('invitation', 'password')),
  email text not null,
  -- Null: the operator's team.
  wallet_id bigint references wallets (id),
  role text check (role in ('owner', 'finance', 'support', 'developer', 'read_only')),
  invited_by text,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null,
  -- Also removes the authenticator app, for a lost phone.
  takes_two_factor boolean not null default false,
  check ((wallet_id is null) = (role is null)),
  check (purpose = 'invitation' or wallet_id is null)
);
create index one_time_links_wallet on backoffice.one_time_links (wallet_id) where used_at is null;
-- One open invitation per address and team.
create unique index one_time_links_open on backoffice.one_time_links (wallet_id, email)
  where used_at is null and purpose = 'invitation' and wallet_id is not null;

-- Failed log-ins, by digest of e-mail or address.
create table backoffice.sign_in_failures (
  subject bytea primary key,
  failures integer not null,
  locked_until timestamptz,
  modified_at timestamptz not null,
  -- Whether the last try exceeded the limit.
  refused boolean not null default false
);

-- Used authenticator codes of the last minutes.
create table backoffice.used_codes (
  user_id text not null references backoffice.users on delete cascade,
  code text not null,
  used_at timestamptz not null,
  primary key (user_id, code)
);

-- Changes made by people.
create table backoffice.actions (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  wallet_id bigint,
  user_id text not null,
  email text not null,
  action text not null,
  target text not null,
  status smallint not null,
  tid uuid not null,
  -- Network address; null for commands.
  address text,
  -- In cents.
  amount bigint,
  about text,
  -- The idempotency key.
  request_id uuid,
  changes jsonb
);
create index actions_wallet on backoffice.actions (wallet_id, id);
create index actions_own on backoffice.actions (user_id, id)
where wallet_id is null and not starts_with(target, '/backoffice/api/operator/');
-- The person behind a payment, by idempotency key.
create index actions_request on backoffice.actions (wallet_id, request_id) where request_id is not null;

create table audit_runs (
  id bigint generated always as identity primary key,
  started_at timestamptz not null,
  -- An e-mail, or the command.
  started_by text not null,
  -- Last sign of life of its process.
  seen_at timestamptz not null,
  ended_at timestamptz,
  checks_total integer not null,
  checks jsonb not null default '{}',
  problems jsonb not null default '[]',
  problems_total integer not null default 0,
  error text
);
-- One at a time, over all processes.
create unique index audit_runs_in_progress on audit_runs ((ended_at is null)) where ended_at is null;
`
