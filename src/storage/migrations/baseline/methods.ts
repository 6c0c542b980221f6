// Tables of bank references, consumer balances, transfers and suspense.

export const sql = `
-- The id of a reference to pay an operation is the operation's attempt: only the standing one settles it.
create table bank_references (
  wallet_id bigint not null,
  id uuid not null,
  kind text not null check (kind in ('time_limited', 'instant', 'recurring')),
  entity text not null check (length(entity) = 5),
  number integer check (number between 0 and 9999999),
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
  published_at timestamptz,
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
-- References that a provider makes have its entity and numbers.
create unique index bank_references_by_name on bank_references (entity, ref) where number_held and number is null;
create unique index bank_references_of_providers on bank_references (id) where number is null;
-- By digit, whatever the language of the database.
create index bank_references_by_ref on bank_references (wallet_id, ref collate "C");

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

-- What is asked of a provider and does not belong to a reference: being made, or to be withdrawn because nobody knows of it.
create table bank_reference_requests (
  -- Our idempotency key at the provider, and the id of the reference that it becomes.
  id uuid primary key,
  wallet_id bigint not null,
  -- A merchant's request with its fingerprint, or the operation of a checkout: tried again, it asks under the same key.
  request_id uuid,
  fingerprint bytea,
  expires timestamptz,
  created_at timestamptz not null,
  due_at timestamptz,
  withdrawn_at timestamptz,
  check ((request_id is null) = (fingerprint is null)),
  check (due_at is not null or withdrawn_at is not null)
);
create unique index bank_reference_requests_open on bank_reference_requests (wallet_id, request_id, fingerprint)
  where withdrawn_at is null;
create index bank_reference_requests_due on bank_reference_requests (due_at) where due_at is not null;

-- Payments by consumers from their balances, and those that were refused.
create table balance_payments (
  id uuid not null,
  wallet_id bigint not null,
  operation_id uuid not null,
  consumer_id bigint not null references wallets (id),
  amount bigint not null check (amount > 0),
  failure text,
  created_at timestamptz not null,
  primary key (wallet_id, id)
);
create unique index balance_payments_paid on balance_payments (wallet_id, operation_id) where failure is null;

-- Money that arrived at the bank: for a wallet, or for nobody we know.
create table incoming_transfers (
  id uuid primary key,
  text text not null,
  iban text,
  amount bigint not null check (amount > 0),
  currency text not null,
  wallet_id bigint references wallets (id),
  operation_id uuid,
  problem text,
  created_at timestamptz not null,
  assigned_at timestamptz,
  check ((wallet_id is null) = (operation_id is null)),
  check ((wallet_id is null) = (assigned_at is null)),
  check (wallet_id is not null or problem is not null)
);
create index incoming_transfers_unassigned on incoming_transfers (created_at) where wallet_id is null;

-- Money that rails took and that belongs to no operation, until it is given back or assigned.
create table suspense_entries (
  id uuid primary key,
  -- Whose reference was paid; 0, the gateway's own, where nobody knows.
  wallet_id bigint not null,
  -- Over whose rail it came: that of its clearing account.
  method text not null,
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
create index suspense_entries_by_time on suspense_entries (created_at);
`
