// Tables of bank references, consumer balances, transfers and suspense.

export const sql = `
create table bank_references (
  -- The id of a reference is the operation's attempt: only the current one settles it.
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
  -- A number is reserved while it is payable, and for a year after; null: no known end.
  number_held boolean not null default true,
  number_free_at timestamptz,
  primary key (wallet_id, id),
  check ((kind = 'recurring') = (operation_id is null)),
  check (kind = 'recurring' or (amount_min = amount_max and expires is not null)),
  check (starts is null or kind = 'instant')
);
create unique index bank_references_by_number on bank_references (entity, number) where number_held;
create index bank_references_due on bank_references (due_at) where due_at is not null;
create unique index bank_references_by_name on bank_references (entity, ref) where number_held and number is null;
create unique index bank_references_of_providers on bank_references (id) where number is null;
-- By digit, in any collation.
create index bank_references_by_ref on bank_references (wallet_id, ref collate "C");

-- Numbers handed out to processes; they wrap around.
create table bank_reference_counters (
  entity text primary key,
  handed_out bigint not null
);

-- Payments of recurring references, accepted or refused, each once.
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

-- Requests to a provider without a reference: creation, or deletion of an unknown one.
create table bank_reference_requests (
  -- Our idempotency key, and the id of the future reference.
  id uuid primary key,
  wallet_id bigint not null,
  -- A merchant's request with its fingerprint, or the operation of a checkout.
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

-- Payments from consumer balances, accepted or refused.
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

-- Money that arrived at the bank, assigned or not.
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

-- Money without an operation, until it is returned or assigned.
create table suspense_entries (
  id uuid primary key,
  -- The wallet of the reference; 0 if unknown.
  wallet_id bigint not null,
  -- The rail, which gives the clearing account.
  method text not null,
  -- The provider's id: a payment counts once.
  payment_id uuid not null unique,
  -- The provider's key of the reference, for returns.
  reference_key uuid,
  reference text not null,
  amount bigint not null check (amount > 0),
  reason text not null,
  paid_at timestamptz not null,
  state text not null check (state in ('OPEN', 'REFUNDING', 'REFUNDED', 'ASSIGNED')),
  -- Idempotency key of the return; a new one for each try.
  refund_key uuid unique,
  refund_by text check (refund_by in ('rail', 'transfer')),
  refunds integer not null default 0,
  -- The reason of a failed return.
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
