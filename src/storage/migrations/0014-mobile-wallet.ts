// Mandates and what was taken under them, attempts to pay by phone, and the sandbox's own mobile wallet.

export const sql = `
create table mandates (
  id uuid not null,
  wallet_id bigint not null,
  type text not null check (type in ('ONECLICK', 'SUBSCRIPTION')),
  state text not null check (state in ('REQUESTED', 'ACTIVE', 'SUSPENDED', 'VOIDED', 'EXPIRED')),
  phone text not null,
  client_name text,
  url_callback text,
  request_id uuid,
  subscription_id uuid,
  -- Per calendar month in Lisbon; zero until the customer has set it.
  amount_limit bigint not null default 0 check (amount_limit >= 0),
  -- The last Lisbon day, yyyy-mm-dd.
  expiry_date text check (expiry_date ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
  -- How many of the network's changes are in it.
  version integer not null default 0 check (version >= 0),
  asked_until timestamptz not null,
  inquiries integer not null default 0,
  created_at timestamptz not null,
  modified_at timestamptz not null,
  due_at timestamptz,
  primary key (wallet_id, id),
  check ((type = 'SUBSCRIPTION') = (subscription_id is not null)),
  check (state not in ('ACTIVE', 'SUSPENDED') or (amount_limit > 0 and expiry_date is not null)),
  check (state not in ('REQUESTED', 'ACTIVE', 'SUSPENDED') or due_at is not null),
  check (state <> 'EXPIRED' or due_at is null)
);
create unique index mandates_by_id on mandates (id);
create index mandates_by_phone on mandates (wallet_id, phone, id);
create index mandates_due on mandates (due_at) where due_at is not null;

-- What was taken of a mandate's limit in a month, and each part of it until it is given back.
create table mandate_allowances (
  wallet_id bigint not null,
  mandate_id uuid not null,
  month text not null check (month ~ '^[0-9]{4}-[0-9]{2}$'),
  used bigint not null check (used >= 0),
  primary key (wallet_id, mandate_id, month)
);
create table mandate_reservations (
  wallet_id bigint not null,
  id uuid not null,
  mandate_id uuid not null,
  month text not null,
  amount bigint not null check (amount > 0),
  created_at timestamptz not null,
  primary key (wallet_id, id)
);
create index mandate_reservations_by_mandate on mandate_reservations (wallet_id, mandate_id, month);

create table mobile_payments (
  id uuid not null,
  wallet_id bigint not null,
  operation_id uuid not null,
  owner text not null check (owner in ('checkout', 'direct')),
  page_token uuid not null,
  state text not null check (state in ('ASKED', 'APPROVED', 'DECLINED')),
  merchant_name text not null,
  phone text not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  intent text not null check (intent in ('sale', 'hold')),
  mandate_id uuid,
  decline text,
  reference text,
  expires_at timestamptz not null,
  inquiries integer not null default 0,
  created_at timestamptz not null,
  modified_at timestamptz not null,
  due_at timestamptz,
  primary key (wallet_id, id),
  unique (wallet_id, operation_id, page_token),
  check ((state = 'ASKED') = (due_at is not null)),
  check ((state = 'DECLINED') = (decline is not null)),
  check ((state = 'APPROVED') = (reference is not null))
);
create unique index mobile_payments_by_id on mobile_payments (id);
create index mobile_payments_due on mobile_payments (due_at) where due_at is not null;

-- The pretend mobile wallet's own memory: what its customers are asked, and what they allowed.
create table sandbox_phone_requests (
  key uuid primary key,
  phone text not null,
  kind text not null check (kind in ('payment', 'authorization', 'mandate')),
  merchant_id bigint not null,
  merchant_name text not null,
  mandate_type text check (mandate_type in ('ONECLICK', 'SUBSCRIPTION')),
  amount bigint check (amount > 0),
  currency text,
  state text not null check (state in ('pending', 'approved', 'refused', 'expired')),
  by_mandate uuid,
  reference text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  decided_at timestamptz,
  check ((kind = 'mandate') = (mandate_type is not null)),
  check ((kind = 'mandate') = (amount is null)),
  check ((state = 'pending') = (decided_at is null)),
  check ((state = 'approved') = (reference is not null))
);
create index sandbox_phone_requests_by_phone on sandbox_phone_requests (phone, created_at);
create index sandbox_phone_requests_by_mandate on sandbox_phone_requests (by_mandate) where by_mandate is not null;

create table sandbox_phone_mandates (
  key uuid primary key,
  phone text not null,
  merchant_id bigint not null,
  merchant_name text not null,
  type text not null check (type in ('ONECLICK', 'SUBSCRIPTION')),
  state text not null check (state in ('requested', 'active', 'suspended', 'ended')),
  amount_limit bigint,
  expiry_date text,
  version integer not null default 0,
  created_at timestamptz not null,
  check (state not in ('active', 'suspended') or (amount_limit > 0 and expiry_date is not null))
);
create index sandbox_phone_mandates_by_phone on sandbox_phone_mandates (phone, created_at);

create table sandbox_phone_changes (
  key uuid not null,
  version integer not null,
  kind text not null check (
    kind in ('approved', 'refused', 'expired', 'updated', 'suspended', 'resumed', 'cancelled')
  ),
  amount_limit bigint,
  expiry_date text,
  changed_at timestamptz not null,
  primary key (key, version)
);

create table sandbox_phone_movements (
  key uuid primary key,
  payment uuid not null,
  kind text not null check (kind in ('capture', 'release', 'refund')),
  amount bigint not null check (amount > 0),
  reference text,
  decline text,
  moved_at timestamptz not null,
  check ((reference is null) = (decline is not null))
);
create index sandbox_phone_movements_by_payment on sandbox_phone_movements (payment);
`
