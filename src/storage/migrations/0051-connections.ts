// Connections to real providers, and what was sent over them under which key.

export const sql = `
create table rail_connections (
  id bigint generated always as identity primary key,
  -- In the address of its webhook.
  public_id text not null unique check (public_id ~ '^[0-9A-Za-z]{22}$'),
  driver text not null check (driver ~ '^[a-z][a-z0-9-]{0,31}$'),
  -- Null: the gateway's own, which serves every merchant without one of their own.
  wallet_id bigint references wallets (id),
  rails text[] not null check (cardinality(rails) > 0),
  settings jsonb not null check (jsonb_typeof(settings) = 'object'),
  secrets_sealed bytea not null,
  allow_unproven boolean not null,
  enabled boolean not null,
  created_at timestamptz not null,
  changed_at timestamptz not null
);
create unique index rail_connections_in_use on rail_connections (driver, coalesce(wallet_id, 0)) where enabled;

create table rail_requests (
  key uuid primary key,
  -- Null: the key was cancelled before any provider was asked under it, and none will be.
  -- Refers to rail_connections, whose rows stay; a foreign key would lock that one row for every payment.
  connection_id bigint,
  -- Null where the rail does not say whose money it is.
  wallet_id bigint,
  rail text not null,
  steps jsonb not null default '{}' check (jsonb_typeof(steps) = 'object'),
  provider_id text,
  ids jsonb not null default '{}' check (jsonb_typeof(ids) = 'object'),
  signature text,
  status text,
  answer jsonb,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  check (connection_id is not null or steps = '{}')
);
create unique index rail_requests_by_provider_id on rail_requests (connection_id, provider_id)
  where provider_id is not null;
`
