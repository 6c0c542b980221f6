// Baseline schema of the sandbox.

/** No table holds a card number or a CVV. */
export const sql = `
create table sandbox.clock (
  only_row boolean primary key default true check (only_row),
  offset_ms bigint not null default 0 check (offset_ms >= 0)
);
insert into sandbox.clock default values;

-- The acquirer's decisions, by idempotency key.
create table sandbox.authorizations (
  key uuid primary key,
  merchant_id bigint,
  amount bigint,
  currency text,
  intent text,
  last4 text,
  decline text,
  reference text not null,
  approval_code text,
  decided_at timestamptz not null,
  captured bigint not null default 0,
  released bigint not null default 0,
  refunded bigint not null default 0,
  follow_up_silent boolean not null default false,
  follow_up_decline text,
  reversed_by uuid
);
create unique index authorizations_reversed on sandbox.authorizations (reversed_by) where reversed_by is not null;
-- One function instead of many checks, because every payment writes this table.
create function sandbox.authorization_holds(
  merchant_id bigint, amount bigint, currency text, intent text, last4 text, decline text, approval_code text,
  captured bigint, released bigint, refunded bigint
) returns boolean language plpgsql immutable as $$
begin
  return
    amount > 0
    and intent in ('sale', 'hold')
    and length(last4) = 4
    and (decline is null) = (approval_code is not null)
    and captured >= 0 and released >= 0 and refunded >= 0 and captured + released <= amount
    and (decline is not distinct from 'cancelled' or num_nulls(merchant_id, amount, currency, intent, last4) = 0);
end $$;
alter table sandbox.authorizations add constraint authorizations_hold check (sandbox.authorization_holds(
  merchant_id, amount, currency, intent, last4, decline, approval_code, captured, released, refunded
));

create table sandbox.follow_ups (
  key uuid primary key,
  original uuid,
  kind text check (kind in ('capture', 'release', 'refund')),
  amount bigint check (amount >= 0),
  decline text,
  reference text not null,
  decided_at timestamptz not null,
  reversed_by uuid,
  constraint follow_ups_known check (decline is not distinct from 'cancelled' or num_nulls(original, kind, amount) = 0)
);
create index follow_ups_by_original on sandbox.follow_ups (original);
create unique index follow_ups_reversed on sandbox.follow_ups (reversed_by) where reversed_by is not null;

create table sandbox.challenges (
  acs_trans_id uuid primary key,
  three_ds_server_trans_id uuid not null unique,
  ds_trans_id uuid not null,
  message_version text not null,
  message_category text not null check (message_category in ('01', '02')),
  merchant_name text not null,
  amount bigint,
  currency text,
  brand text not null,
  last4 text not null check (length(last4) = 4),
  otp text not null,
  state text not null check (state in ('open', 'authenticated', 'failed', 'cancelled', 'expired')),
  attempts_left integer not null check (attempts_left >= 0),
  interactions integer not null default 0,
  authentication_value text,
  -- Address for the report, with its secret. Empty after delivery.
  three_ds_server_url text,
  notification_url text not null,
  session_data text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  reported_at timestamptz,
  check ((reported_at is null) = (three_ds_server_url is not null)),
  check ((state = 'authenticated') = (authentication_value is not null)),
  check (reported_at is null or state <> 'open')
);
create index challenges_open on sandbox.challenges (expires_at) where state = 'open';

-- The reference network: published limits and payments.
create table sandbox.published_references (
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
create table sandbox.reference_payments (
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
create index reference_payments_due on sandbox.reference_payments (due_at) where due_at is not null;
create index reference_payments_unanswered on sandbox.reference_payments (entity, ref) where state = 'UNANSWERED';

-- The phone network: requests, mandates and later moves of money.
create table sandbox.phone_requests (
  key uuid primary key,
  phone text not null,
  kind text not null check (kind in ('payment', 'authorization', 'mandate')),
  merchant_id bigint not null,
  merchant_name text not null,
  mandate_type text check (mandate_type in ('ONECLICK', 'SUBSCRIPTION')),
  amount bigint check (amount > 0),
  currency text,
  state text not null check (state in ('pending', 'approved', 'refused', 'expired', 'withdrawn')),
  -- Mandate used instead of the PIN.
  by_mandate uuid,
  reference text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  decided_at timestamptz,
  -- Mandate that the answer creates.
  opens uuid,
  wanted_limit bigint,
  wanted_from text,
  reversed_by uuid,
  check ((kind = 'mandate') = (mandate_type is not null)),
  check ((state = 'pending') = (decided_at is null)),
  check ((state = 'approved') = (reference is not null)),
  constraint phone_requests_amount check (
    kind = 'mandate' and amount is null or kind <> 'mandate' and (amount is not null or state = 'withdrawn')
  )
);
create index phone_requests_by_phone on sandbox.phone_requests (phone, created_at);
create index phone_requests_by_mandate on sandbox.phone_requests (by_mandate) where by_mandate is not null;
create index phone_requests_by_opens on sandbox.phone_requests (opens) where opens is not null;
create unique index phone_requests_reversed on sandbox.phone_requests (reversed_by) where reversed_by is not null;
create table sandbox.phone_mandates (
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
  check (
    state not in ('active', 'suspended') or amount_limit > 0 and expiry_date is not null
  )
);
create index phone_mandates_by_phone on sandbox.phone_mandates (phone, created_at);
create table sandbox.phone_changes (
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
create table sandbox.phone_follow_ups (
  key uuid primary key,
  payment uuid,
  kind text check (kind in ('capture', 'release', 'refund')),
  amount bigint check (amount > 0),
  reference text,
  decline text,
  moved_at timestamptz not null,
  reversed_by uuid,
  check ((reference is null) = (decline is not null)),
  constraint phone_follow_ups_known check (
    decline is not distinct from 'withdrawn' or num_nulls(payment, kind, amount) = 0
  )
);
create index phone_follow_ups_by_payment on sandbox.phone_follow_ups (payment);
create unique index phone_follow_ups_reversed on sandbox.phone_follow_ups (reversed_by) where reversed_by is not null;

create table sandbox.wallet_orders (
  key uuid primary key,
  reference text not null,
  merchant_name text not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  return_url text not null,
  language text not null check (language in ('pt', 'en')),
  state text not null check (state in ('open', 'agreed', 'paid', 'declined')),
  payer text,
  decline text,
  transaction text not null,
  refunded bigint not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  check (refunded >= 0 and refunded <= amount),
  check ((state = 'declined') = (decline is not null))
);
create index wallet_orders_by_reference on sandbox.wallet_orders (reference, created_at);
create table sandbox.debits (
  key uuid primary key,
  reference text not null,
  merchant_name text not null,
  debtor_name text not null,
  iban text not null,
  mandate_id text not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  state text not null check (state in ('waiting', 'paid', 'returned')),
  reason text,
  refunded bigint not null default 0,
  created_at timestamptz not null,
  answers_at timestamptz not null,
  check (refunded >= 0 and refunded <= amount),
  check ((state = 'returned') = (reason is not null))
);
create index debits_by_reference on sandbox.debits (reference, created_at);
create table sandbox.transfers (
  key uuid primary key,
  reference text not null,
  name text not null,
  iban text not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  state text not null check (state in ('waiting', 'paid', 'returned')),
  reason text,
  created_at timestamptz not null,
  answers_at timestamptz not null,
  check ((state = 'returned') = (reason is not null))
);
create index transfers_by_reference on sandbox.transfers (reference, created_at);
create table sandbox.refunds (
  key uuid primary key,
  of_key uuid not null,
  amount bigint not null check (amount > 0),
  decline text,
  reference text not null
);

-- Fault settings, for all merchants or for one.
create table sandbox.chaos (
  rail text not null,
  wallet_id bigint,
  kind text not null check (kind in ('slow', 'silent', 'down', 'error')),
  seconds integer check (seconds > 0),
  status integer check (status between 400 and 599),
  calls_left integer check (calls_left > 0),
  ends_at timestamptz,
  unique nulls not distinct (rail, wallet_id),
  check ((kind = 'slow') = (seconds is not null)),
  check ((kind = 'error') = (status is not null))
);

-- Wrong PINs of a phone: three in a row lock it.
create table sandbox.phone_locks (
  phone text primary key,
  wrong_pins integer not null check (wrong_pins between 1 and 3)
);

-- Payments that the online wallet reverses or returns.
create table sandbox.wallet_reversals (
  key uuid primary key references sandbox.wallet_orders,
  amount bigint not null check (amount > 0),
  reason text not null,
  state text not null check (state in ('taken', 'given_again')),
  created_at timestamptz not null,
  -- Next try of the notice. Null after delivery.
  due_at timestamptz
);
create index wallet_reversals_due on sandbox.wallet_reversals (due_at) where due_at is not null;
`
