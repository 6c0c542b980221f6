// People: accounts of the backoffice, whose teams they are in, one-time links, and what they did.

export const sql = `
create schema backoffice;

create table backoffice.users (
  id text primary key,
  name text not null,
  email text not null unique check (email = lower(email)),
  email_verified boolean not null,
  image text,
  two_factor_enabled boolean,
  -- Of the gateway's operator rather than of a merchant.
  is_operator boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table backoffice.sessions (
  id text primary key,
  user_id text not null references backoffice.users on delete cascade,
  token text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  -- When they last showed that it is them; null: when they signed in.
  confirmed_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
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

-- An invitation, or a new password: whoever has the link may use it once.
create table backoffice.one_time_links (
  digest bytea primary key,
  purpose text not null check (purpose in ('invitation', 'password')),
  email text not null,
  -- Whose team; null: the operator's.
  wallet_id bigint references wallets (id),
  role text check (role in ('owner', 'finance', 'support', 'developer', 'read_only')),
  invited_by text,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null,
  check ((wallet_id is null) = (role is null)),
  check (purpose = 'invitation' or wallet_id is null)
);
create index one_time_links_wallet on backoffice.one_time_links (wallet_id) where used_at is null;
-- One invitation of each address into a team stands at a time.
create unique index one_time_links_open on backoffice.one_time_links (wallet_id, email)
  where used_at is null and purpose = 'invitation' and wallet_id is not null;

-- Failed log-ins, by digest of the e-mail or of the address they came from.
create table backoffice.sign_in_failures (
  subject bytea primary key,
  failures integer not null,
  locked_until timestamptz,
  modified_at timestamptz not null
);

-- What people did: everything but reading.
create table backoffice.actions (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  wallet_id bigint,
  user_id text not null,
  email text not null,
  action text not null,
  target text not null,
  status smallint not null,
  tid uuid not null
);
create index actions_wallet on backoffice.actions (wallet_id, id);
`
