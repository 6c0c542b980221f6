// Money that rails took and that belongs to no operation: kept in suspense until it is given back or assigned.

export const sql = `
alter table postings drop constraint postings_purpose_check;
alter table postings add constraint postings_purpose_check check (purpose in ('settle', 'split', 'suspense'));

create table suspense_entries (
  id uuid primary key,
  -- Whose reference was paid; 0, the gateway's own, where nobody knows.
  wallet_id bigint not null,
  -- Over whose rail it came: that of its clearing account.
  method text not null check (method in ('MB', 'BANK')),
  -- The provider's: one payment is kept once.
  payment_id uuid not null unique,
  -- The key under which its provider made the reference, which gives it back.
  reference_key uuid,
  reference text not null,
  amount bigint not null check (amount > 0),
  reason text not null,
  paid_at timestamptz not null,
  state text not null check (state in ('OPEN', 'REFUNDING', 'REFUNDED', 'ASSIGNED')),
  -- Under which it is given back, at the provider or at the bank; a new one for each try.
  refund_key uuid unique,
  refund_by text check (refund_by in ('rail', 'transfer')),
  refunds integer not null default 0,
  -- Why it could not be given back.
  problem text,
  assigned_wallet_id bigint,
  operation_id uuid unique,
  created_at timestamptz not null,
  resolved_at timestamptz,
  due_at timestamptz,
  tries integer not null default 0,
  check ((state in ('REFUNDED', 'ASSIGNED')) = (resolved_at is not null)),
  check ((state = 'ASSIGNED') = (operation_id is not null)),
  check ((operation_id is null) = (assigned_wallet_id is null)),
  check (state not in ('REFUNDING', 'REFUNDED') or (refund_key is not null and refund_by is not null)),
  check (due_at is null or state = 'REFUNDING')
);
create index suspense_entries_open on suspense_entries (created_at) where state in ('OPEN', 'REFUNDING');
create index suspense_entries_due on suspense_entries (due_at) where due_at is not null;
`
