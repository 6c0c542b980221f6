// Who takes part: merchants and consumers with their wallets, stores and API keys, and the demo world.

export const sql = `
create table wallets (
  id bigint generated always as identity (start with 1000) primary key,
  public_id text not null unique,
  kind text not null check (kind in ('merchant', 'consumer')),
  name text not null check (length(name) between 1 and 100),
  email text not null check (length(email) between 3 and 100),
  iban text,
  phone text,
  rights text[] not null default '{}' check (rights <@ array['partner', 'pci_dss', 'marketplace']),
  methods text[] not null default '{}'
    check (methods <@ array['CC', 'MB', 'MBWAY', 'PAYPAL', 'WALLET', 'SEPA', 'BANK']),
  fee_schedule jsonb not null default '{}' check (jsonb_typeof(fee_schedule) = 'object'),
  split_fee_fixed bigint not null default 0 check (split_fee_fixed >= 0),
  split_fee_variable_bp integer not null default 0 check (split_fee_variable_bp between 0 and 10000),
  callback_url text,
  card_callback_url text,
  callback_user text,
  callback_secret_sealed bytea,
  callback_secret_previous_sealed bytea,
  callback_secret_previous_until timestamptz,
  self_events boolean not null default false,
  secure_field_origins text[] not null default '{}',
  esb_token_digest bytea check (length(esb_token_digest) = 32),
  pin_digest bytea,
  pin_failures smallint not null default 0 check (pin_failures between 0 and 3),
  locked_until timestamptz,
  created_at timestamptz not null,
  modified_at timestamptz not null,
  check ((kind = 'merchant') = (callback_user is not null)),
  check ((kind = 'merchant') = (callback_secret_sealed is not null)),
  check ((kind = 'consumer') = (pin_digest is not null)),
  check ((callback_secret_previous_sealed is null) = (callback_secret_previous_until is null)),
  check ((pin_failures = 3) = (locked_until is not null))
);
create unique index wallets_consumer_email on wallets (lower(email)) where kind = 'consumer';

create table stores (
  id integer generated always as identity,
  wallet_id bigint not null references wallets (id),
  name text not null check (length(name) between 1 and 100),
  primary key (wallet_id, id)
);

create table api_keys (
  id text primary key check (id ~ '^[0-9A-Za-z]{8}$'),
  wallet_id bigint not null references wallets (id),
  digest bytea not null check (length(digest) = 32),
  permissions text[] not null,
  created_at timestamptz not null,
  revoked_at timestamptz check (revoked_at >= created_at)
);
create index api_keys_by_wallet on api_keys (wallet_id);

create table demo_wallets (
  label text primary key,
  wallet_id bigint not null unique references wallets (id),
  secrets_sealed bytea not null,
  funding_id uuid,
  funded_at timestamptz,
  check (funded_at is null or funding_id is not null)
);
`
