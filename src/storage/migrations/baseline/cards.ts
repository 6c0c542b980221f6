// Tables of stored cards and secure form fields.

export const sql = `
create table stored_cards (
  -- The vault.
  wallet_id bigint not null,
  token uuid not null,
  -- The card's own key, sealed under the master key; without it the number is lost.
  wrapped_key bytea,
  sealed_pan bytea,
  -- Keyed per wallet, to recognise an already stored card.
  fingerprint bytea check (length(fingerprint) = 32),
  bin text not null check (bin ~ '^[0-9]{6}$'),
  last4 text not null check (last4 ~ '^[0-9]{4}$'),
  brand text not null check (brand ~ '^[a-z0-9-]+$'),
  valdate text not null check (valdate ~ '^(0[1-9]|1[0-2])/20[0-9]{2}$'),
  name text check (length(name) between 1 and 100),
  verification_status text not null check (verification_status in ('VERIFIED', 'UNVERIFIED')),
  authentication jsonb check (jsonb_typeof(authentication) = 'object'),
  created_at timestamptz not null,
  modified_at timestamptz not null,
  voided_at timestamptz,
  -- Its merchant at any time, or charges of the subscription with its token.
  kept_for text not null default 'merchant' check (kept_for in ('merchant', 'subscription')),
  primary key (wallet_id, token),
  -- A voided card is erased, a live one complete.
  check (num_nulls(wrapped_key, sealed_pan, fingerprint, name) = case when voided_at is null then 0 else 4 end)
);
create unique index stored_cards_by_fingerprint on stored_cards (wallet_id, fingerprint)
  where voided_at is null and kept_for = 'merchant';
create index stored_cards_by_time on stored_cards (wallet_id, created_at, token) where kept_for = 'merchant';
create index stored_cards_by_last4 on stored_cards (wallet_id, last4, created_at, token) where kept_for = 'merchant';

-- Cards on their way into the vault.
create table card_storings (
  id uuid not null,
  wallet_id bigint not null,
  request_id uuid not null,
  state text not null check (state in ('PENDING', 'COMPLETED', 'FAIL')),
  url_confirm text not null,
  url_cancel text not null,
  token uuid,
  created_at timestamptz not null,
  modified_at timestamptz not null,
  primary key (wallet_id, id),
  check ((state = 'COMPLETED') = (token is not null))
);

create table secure_field_keys (
  -- The day of the key in gateway time, so that concurrent processes agree on one key.
  day_number bigint primary key,
  kid text not null unique,
  public_key jsonb not null,
  sealed_private bytea not null,
  created_at timestamptz not null,
  not_after timestamptz not null,
  check (created_at < not_after)
);

-- Used encrypted cards.
create table secure_field_uses (
  wallet_id bigint not null,
  session_id uuid not null,
  set_id uuid not null,
  used_at timestamptz not null,
  forget_at timestamptz not null,
  primary key (wallet_id, session_id, set_id),
  check (used_at < forget_at)
);
create index secure_field_uses_by_end on secure_field_uses (forget_at);
`
