// Tables of merchants, consumers, wallets, stores and API keys.

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
  -- The audit compares method codes with the list, so that a new one needs no migration.
  methods text[] not null default '{}',
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
  callback_signing_sealed bytea,
  callback_signing_previous_sealed bytea,
  callback_signing_previous_until timestamptz,
  subscription_methods text[] not null default '{CC,MBWAY}',
  -- #rrggbb, readable on white.
  brand_colour text check (brand_colour ~ '^#[0-9a-f]{6}$'),
  logo text,
  terms_url text,
  privacy_url text,
  support_url text,
  support_email text,
  support_phone text,
  page_language text check (page_language in ('pt', 'en')),
  -- Allowed methods that the team turned off.
  methods_off text[] not null default '{}',
  suspended_at timestamptz,
  payment_limit bigint check (payment_limit > 0),
  day_limit bigint check (day_limit > 0),
  payout_day_limit bigint check (payout_day_limit > 0),
  suspended_reason text,
  bank_charges_passed_on boolean not null default false,
  check ((kind = 'merchant') = (callback_user is not null)),
  check ((kind = 'merchant') = (callback_secret_sealed is not null)),
  check ((kind = 'consumer') = (pin_digest is not null)),
  check ((callback_secret_previous_sealed is null) = (callback_secret_previous_until is null)),
  check ((pin_failures = 3) = (locked_until is not null)),
  check ((callback_signing_previous_sealed is null) = (callback_signing_previous_until is null)),
  check ((kind = 'merchant') = (callback_signing_sealed is not null))
);
create unique index wallets_consumer_email on wallets (lower(email)) where kind = 'consumer';

-- All IBANs of a wallet, for the audit of payouts.
create table wallet_ibans (
  wallet_id bigint not null references wallets (id),
  iban text not null,
  -- By the machine's clock.
  since timestamptz not null,
  primary key (wallet_id, iban)
);
create function note_iban_of_wallet() returns trigger language plpgsql as $$
begin
  insert into wallet_ibans (wallet_id, iban, since) values (new.id, new.iban, now())
  on conflict do nothing;
  return null;
end
$$;
create trigger ibans_of_wallets_are_noted after insert or update of iban on wallets
  for each row when (new.iban is not null) execute function note_iban_of_wallet();

create table wallet_logos (
  wallet_id bigint primary key references wallets (id),
  file text not null,
  type text not null check (type in ('image/png', 'image/jpeg', 'image/webp')),
  content bytea not null check (octet_length(content) <= 102400),
  created_at timestamptz not null
);
create index wallet_logos_by_file on wallet_logos (file);

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
  revoked_at timestamptz check (revoked_at >= created_at),
  name text,
  last_used_on date
);
create index api_keys_by_wallet on api_keys (wallet_id);

-- Log-ins with unknown e-mails, counted like those of consumers, so that both get the same answer.
create table unknown_log_ins (
  -- A keyed digest: the addresses are not stored.
  email_digest bytea primary key check (length(email_digest) = 32),
  failures smallint not null check (failures between 1 and 3),
  locked_until timestamptz,
  modified_at timestamptz not null,
  check ((failures = 3) = (locked_until is not null))
);
create index unknown_log_ins_by_age on unknown_log_ins (modified_at);

create table demo_wallets (
  label text primary key,
  wallet_id bigint not null unique references wallets (id),
  secrets_sealed bytea not null,
  funding_id uuid,
  funded_at timestamptz,
  check (funded_at is null or funding_id is not null)
);
`
