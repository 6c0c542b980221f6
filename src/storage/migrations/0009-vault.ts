// The vault: cards that merchants stored, each under a key of its own.

export const sql = `
create table stored_cards (
  wallet_id bigint not null,
  token uuid not null,
  -- The key of this card alone, under the master key whose version it names; without it the number is lost.
  wrapped_key bytea,
  sealed_pan bytea,
  -- Keyed, and different for each wallet: recognises a card stored before, and nothing else.
  fingerprint bytea check (length(fingerprint) = 32),
  bin text not null check (bin ~ '^[0-9]{6}$'),
  last4 text not null check (last4 ~ '^[0-9]{4}$'),
  brand text not null check (brand ~ '^[a-z0-9-]+$'),
  valdate text not null check (valdate ~ '^(0[1-9]|1[0-2])/20[0-9]{2}$'),
  name text check (length(name) between 1 and 100),
  verification_status text not null check (verification_status in ('VERIFIED', 'UNVERIFIED')),
  -- What the issuer said when the card was stored.
  authentication jsonb check (jsonb_typeof(authentication) = 'object'),
  created_at timestamptz not null,
  modified_at timestamptz not null,
  voided_at timestamptz,
  primary key (wallet_id, token),
  -- A voided card is erased, a live one whole.
  check (num_nulls(wrapped_key, sealed_pan, fingerprint, name) = case when voided_at is null then 0 else 4 end)
);
create unique index stored_cards_by_fingerprint on stored_cards (wallet_id, fingerprint) where voided_at is null;
`
