// Tables of subscriptions, charges and mandates.

export const sql = `
create table subscriptions (
  id uuid not null,
  wallet_id bigint not null,
  status text not null check (status in ('NEW', 'APPROVED', 'FAILED', 'EXPIRED', 'CANCELED', 'VOIDED')),
  -- Limit per cycle; 0 until the customer sets the limit of the mandate.
  amount bigint not null,
  currency text not null,
  frequency integer not null check (frequency between 1 and 365),
  period text not null check (period in ('DAY', 'WEEK', 'MONTH')),
  -- Lisbon days, yyyy-mm-dd; ends_at is the moment after the last day.
  start_date text not null check (start_date ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
  end_date text check (end_date ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
  ends_at timestamptz,
  -- The requested end, before any method shortened it.
  asked_end_date text,
  ext_subscriptionid text,
  description text,
  client jsonb,
  checkout_id uuid,
  -- The payment of the same acceptance.
  operation_id uuid,
  method text,
  attempt_id uuid,
  under_approval boolean not null default false,
  card_token uuid,
  card jsonb,
  -- The mandate of the mobile wallet.
  mandate_id uuid,
  -- Charged or reserved in the latest cycle.
  cycle integer not null default 0 check (cycle >= 0),
  cycle_charged bigint not null default 0,
  error text,
  created_at timestamptz not null,
  modified_at timestamptz not null,
  consumer_id bigint references wallets (id),
  primary key (wallet_id, id),
  check ((end_date is null) = (ends_at is null)),
  -- A customer may lower the limit of a mandate below the charged amount.
  check (cycle_charged >= 0 and (cycle_charged <= amount or mandate_id is not null)),
  check (not under_approval or status = 'NEW'),
  check (status not in ('APPROVED', 'EXPIRED', 'CANCELED') or method is not null),
  check (status not in ('APPROVED', 'EXPIRED', 'CANCELED') or method <> 'CC' or card_token is not null),
  check (status not in ('APPROVED', 'EXPIRED', 'CANCELED') or method <> 'MBWAY' or mandate_id is not null),
  check (status not in ('APPROVED', 'EXPIRED', 'CANCELED') or method <> 'WALLET' or consumer_id is not null),
  -- A merchant may void it before the customer sets the limit.
  constraint subscriptions_amount_known check (
    amount > 0 or (amount = 0 and checkout_id is null and status in ('NEW', 'FAILED', 'VOIDED'))
  ),
  -- A customer may end a mandate before the first charge.
  constraint subscriptions_end_after_start check (
    end_date is null or end_date >= start_date or mandate_id is not null
  )
);
create index subscriptions_by_operation on subscriptions (wallet_id, operation_id) where operation_id is not null;
create index subscriptions_ending on subscriptions (ends_at) where status = 'APPROVED' and ends_at is not null;
create index subscriptions_by_card on subscriptions (wallet_id, card_token) where card_token is not null;

create table charges (
  id uuid not null,
  wallet_id bigint not null,
  subscription_id uuid not null,
  -- The id of its payment, known before the rail is asked.
  operation_id uuid not null,
  status text not null check (status in ('NEW', 'PROCESSING', 'SUCCESS', 'FAIL')),
  amount bigint not null check (amount > 0),
  currency text not null,
  cycle integer not null check (cycle >= 0),
  ext_invoiceid text,
  items jsonb,
  client jsonb,
  error text,
  opened boolean not null default false,
  created_at timestamptz not null,
  modified_at timestamptz not null,
  due_at timestamptz,
  primary key (wallet_id, id),
  check ((status = 'FAIL') = (error is not null)),
  check (not opened or status <> 'NEW'),
  check (opened or status <> 'SUCCESS'),
  constraint charges_due check ((due_at is not null) = (status in ('NEW', 'PROCESSING') and not opened))
);
create unique index charges_by_operation on charges (wallet_id, operation_id);
create index charges_by_subscription on charges (wallet_id, subscription_id, id);
create index charges_due on charges (due_at) where due_at is not null;

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
  -- Per calendar month in Lisbon; zero until the customer sets it.
  amount_limit bigint not null default 0 check (amount_limit >= 0),
  -- The last Lisbon day, yyyy-mm-dd.
  expiry_date text check (expiry_date ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
  -- Number of applied changes of the network.
  version integer not null default 0 check (version >= 0),
  asked_until timestamptz not null,
  inquiries integer not null default 0,
  created_at timestamptz not null,
  modified_at timestamptz not null,
  due_at timestamptz,
  -- Requested together with an open payment; not followed separately until then.
  awaits_payment boolean not null default false,
  -- Requested limit in cents per month, and the Lisbon day of the first charge.
  wanted_limit bigint check (wanted_limit > 0),
  wanted_from text check (wanted_from ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
  withdrawn boolean not null default false,
  primary key (wallet_id, id),
  check ((type = 'SUBSCRIPTION') = (subscription_id is not null)),
  check (state not in ('ACTIVE', 'SUSPENDED') or (amount_limit > 0 and expiry_date is not null)),
  check (state not in ('REQUESTED', 'ACTIVE', 'SUSPENDED') or due_at is not null),
  check (state <> 'EXPIRED' or due_at is null),
  check ((wanted_limit is null) = (wanted_from is null))
);
create unique index mandates_by_id on mandates (id);
create index mandates_by_phone on mandates (wallet_id, phone, id);
create index mandates_due on mandates (due_at) where due_at is not null;
create index mandates_by_subscription on mandates (wallet_id, subscription_id) where subscription_id is not null;

-- Used parts of a mandate's monthly limit.
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
`
