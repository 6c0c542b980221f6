// Orders for the bank that an operator answers, and what the bank charges for orders.

export const sql = `
create table bank_settlements (
  -- Under which its fee is posted.
  id uuid not null unique,
  wallet_id bigint not null,
  order_id uuid not null,
  answer text not null check (answer in ('paid', 'returned')),
  -- What the answer moves: of a debit that came back, without what refunds had sent of it.
  amount bigint not null check (amount >= 0),
  fee bigint not null check (fee >= 0),
  reason text not null check (btrim(reason) <> ''),
  -- Whether the limit of that time wanted a second person.
  needs_second boolean not null,
  settled_by text not null,
  settled_at timestamptz not null,
  approved_by text,
  approved_at timestamptz,
  -- An order that was paid can still be returned.
  primary key (wallet_id, order_id, answer),
  foreign key (wallet_id, order_id) references bank_orders (wallet_id, id),
  check (num_nulls(approved_by, approved_at) in (0, 2)),
  check (approved_by is null or needs_second and approved_by <> settled_by)
);
create unique index bank_settlements_waiting on bank_settlements (order_id)
  where needs_second and approved_at is null;

alter table postings drop constraint postings_purpose_check;
alter table postings add constraint postings_purpose_check
  check (purpose in ('settle', 'split', 'suspense', 'charge')) not valid;
`
