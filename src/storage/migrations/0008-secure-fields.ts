// Keys that secure form fields encrypt cards with, and which encrypted cards were used already.

export const sql = `
create table secure_field_keys (
  -- Which day of gateway time the key is for: processes that rotate at once agree on one key.
  day_number bigint primary key,
  kid text not null unique,
  public_key jsonb not null,
  sealed_private bytea not null,
  created_at timestamptz not null,
  not_after timestamptz not null,
  check (created_at < not_after)
);

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
