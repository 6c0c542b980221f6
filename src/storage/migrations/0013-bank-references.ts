// Bank references: what a customer types at an ATM or in home banking, and what the reference network told of them.

export const sql = `
alter table operations
  add column instant boolean,
  add column starts timestamptz,
  add column rail_payment_id uuid;

-- The id of a reference to pay an operation is the operation's attempt: only the standing one settles it.
create table bank_references (
  wallet_id bigint not null,
  id uuid not null,
  kind text not null check (kind in ('time_limited', 'instant', 'recurring')),
  entity text not null check (length(entity) = 5),
  number integer not null check (number between 0 and 9999999),
  ref text not null check (length(ref) = 9),
  operation_id uuid,
  amount_min bigint not null check (amount_min > 0),
  amount_max bigint not null check (amount_max >= amount_min),
  ext_invoiceid text,
  ext_email text,
  ext_customerid text,
  starts timestamptz,
  expires timestamptz,
  created_at timestamptz not null,
  told_at timestamptz,
  deleted_at timestamptz,
  due_at timestamptz,
  -- A number is held while its reference can be paid and for a year after; null: nobody knows how long that is.
  number_held boolean not null default true,
  number_free_at timestamptz,
  primary key (wallet_id, id),
  check ((kind = 'recurring') = (operation_id is null)),
  check (kind = 'recurring' or (amount_min = amount_max and expires is not null)),
  check (starts is null or kind = 'instant')
);
create unique index bank_references_by_number on bank_references (entity, number) where number_held;
create index bank_references_due on bank_references (due_at) where due_at is not null;

-- How many numbers were handed out to processes; they begin again where the numbers end.
create table bank_reference_counters (
  entity text primary key,
  handed_out bigint not null
);

-- Payments that a recurring reference took, and those that were refused with a word to the merchant: each once.
create table bank_reference_notices (
  payment_id uuid primary key,
  wallet_id bigint not null,
  reference_id uuid not null,
  amount bigint not null,
  operation_id uuid,
  user_error text check (user_error in ('badamount', 'duplicatepayment')),
  decided_at timestamptz not null,
  check ((operation_id is null) = (user_error is not null))
);

-- The sandbox network's own memory: limits it was told of, and what was paid at its machines.
create table sandbox_references (
  entity text not null,
  ref text not null,
  payable_once boolean not null,
  amount_min bigint not null,
  amount_max bigint not null,
  starts timestamptz,
  expires timestamptz,
  limits_from timestamptz not null,
  closed text check (closed in ('duplicatepayment', 'deleted')),
  primary key (entity, ref)
);

create table sandbox_reference_payments (
  id uuid primary key,
  entity text not null,
  ref text not null,
  amount bigint not null check (amount > 0),
  paid_at timestamptz not null,
  state text not null check (state in ('UNANSWERED', 'ACCEPTED', 'REFUSED')),
  reason text,
  operation_id uuid,
  tellings integer not null default 0,
  due_at timestamptz,
  check ((state = 'REFUSED') = (reason is not null)),
  check ((state = 'ACCEPTED') = (operation_id is not null))
);
create index sandbox_reference_payments_due on sandbox_reference_payments (due_at) where due_at is not null;
create index sandbox_reference_payments_unanswered on sandbox_reference_payments (entity, ref)
  where state = 'UNANSWERED';
`
