// Tables of operations, attempts, shares and limits.

export const sql = `
create table requests (
  -- Requests with an id, and their answers.
  wallet_id bigint not null,
  request_id uuid not null,
  fingerprint bytea not null,
  resource_id uuid not null,
  href text not null,
  http_status integer,
  answer text,
  created_at timestamptz not null,
  primary key (wallet_id, request_id),
  check ((http_status is null) = (answer is null))
);
create index requests_by_age on requests (created_at);

-- One function instead of many checks, as for deliveries. A null column makes a condition neither true nor
-- false, so it passes.
create function operation_holds(
  type text, status text, amount bigint, fee bigint, under_approval boolean, settled_at timestamptz,
  refunded bigint, captured bigint, captures integer, released bigint, lapsed_at timestamptz,
  split jsonb, split_at timestamptz, takes jsonb, take_source text
) returns boolean language plpgsql immutable as $$
begin
  return
    type in ('PAYMENT', 'AUTH', 'CAPTURE', 'RELEASE', 'REFUND', 'USERTRANSFER', 'WALLETFUNDS')
    and status in ('NEW', 'PENDING', 'COMPLETED', 'FAIL', 'VOIDED')
    and (status in ('COMPLETED', 'FAIL', 'VOIDED')) = (settled_at is not null)
    and (not under_approval or status = 'PENDING')
    and amount <> 0
    and fee <= 0
    and refunded between 0 and greatest(amount, 0)
    and (status = 'COMPLETED' or refunded = 0)
    and captured >= 0 and released >= 0 and captured + released <= greatest(amount, 0)
    and captures between 0 and 10
    and (
      type = 'AUTH' and status = 'COMPLETED'
      or captured = 0 and captures = 0 and released = 0 and lapsed_at is null
    )
    and (split is null or type in ('PAYMENT', 'AUTH', 'CAPTURE'))
    and (split_at is null or type in ('PAYMENT', 'CAPTURE') and status = 'COMPLETED')
    and (takes is null) = (take_source is null)
    and (takes is null or type = 'REFUND')
    and take_source in ('proportion', 'listed', 'owner');
end $$;

create table operations (
  id uuid not null,
  wallet_id bigint not null,
  type text not null,
  status text not null,
  method text,
  amount bigint not null,
  fee bigint not null default 0,
  currency text not null,
  channel text not null,
  ipaddress text,
  parent_id uuid,
  checkout_id uuid,
  attempt_id uuid,
  under_approval boolean not null default false,
  refunded bigint not null default 0,
  ext_invoiceid text,
  ext_email text,
  ext_customerid text,
  ext_employee text,
  notes text,
  store bigint,
  items jsonb,
  client jsonb,
  card jsonb,
  mb_entity text,
  mb_ref text,
  phone text,
  callback_url text,
  cardsecure_url_confirm text,
  cardsecure_url_cancel text,
  error text,
  expires timestamptz,
  created_at timestamptz not null,
  modified_at timestamptz not null,
  settled_at timestamptz,
  captured bigint not null default 0,
  captures integer not null default 0,
  released bigint not null default 0,
  lapsed_at timestamptz,
  -- Agreed shares of a payment, applied when it completes.
  split jsonb,
  -- Counts splits, and reservations and returns of refunds: a refund opens only if the count is still the one that
  -- it read.
  split_at timestamptz,
  refund_revision integer not null default 0,
  -- Of a refund of a split payment: the part of each share, and the decision.
  share_refunds jsonb,
  refund_source text,
  instant boolean,
  starts timestamptz,
  rail_payment_id uuid,
  -- The subscription that a payment was accepted with or charged under.
  subscription_id uuid,
  -- Counts split captures of an authorization. A capture settles only if the count is still the one that it
  -- read.
  split_revision integer not null default 0,
  payment_link_id uuid,
  traceparent text,
  came_back bigint not null default 0,
  primary key (wallet_id, id),
  constraint operations_hold check (operation_holds(
    type, status, amount, fee, under_approval, settled_at, refunded, captured, captures, released, lapsed_at,
    split, split_at, share_refunds, refund_source
  ))
  -- One statement opens and settles operations: the page has room for two versions of each row.
) with (fillfactor = 50);
create index operations_by_invoice on operations (wallet_id, ext_invoiceid, id) where ext_invoiceid is not null;
create index operations_by_mb_ref on operations (wallet_id, mb_ref, id) where mb_ref is not null;
create index operations_by_last4 on operations (wallet_id, (card ->> 'last4'), id) where card is not null;
create index operations_by_phone on operations (wallet_id, phone, id) where phone is not null;
create index operations_by_parent_and_type on operations (wallet_id, parent_id, type, id)
  where parent_id is not null;
-- Without status: otherwise every settlement would write the index again.
create index operations_payouts on operations (wallet_id, id) where type = 'WALLETFUNDS';
-- Payments through links only.
create index operations_of_payment_link on operations (wallet_id, payment_link_id) where payment_link_id is not null;
-- Authorizations and payouts are few.
create index operations_authorizations on operations (wallet_id, id) where type = 'AUTH';

-- Operations of one statement, checked when due. Most are settled by then.
create table opened_movements (
  due_at timestamptz not null,
  id uuid not null,
  wallet_ids bigint[] not null,
  operation_ids uuid[] not null,
  primary key (due_at, id),
  check (cardinality(wallet_ids) = cardinality(operation_ids))
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- One request to a rail under one idempotency key. Most operations settle before one is written.
create table attempts (
  wallet_id bigint not null,
  -- The idempotency key: id of the operation, or of the customer's attempt.
  id uuid not null,
  operation_id uuid not null,
  type text not null,
  method text not null,
  state text not null check (
    state in (
      'OPEN', 'ASKED', 'APPROVED', 'DECLINED', 'ABANDONED', 'RETURNED', 'GIVEN_UP', 'CLOSED', 'TO_REVERSE', 'REVERSED'
    )
  ),
  tries integer not null default 0,
  given_up_at timestamptz,
  ended_at timestamptz,
  due_at timestamptz,
  -- The customer's purpose; null for a request under the operation's own id.
  owner text check (owner in ('checkout', 'direct', 'card_api', 'card_store', 'subscription')),
  -- Token of the posting page: the same one twice is one attempt.
  page_token uuid,
  amount bigint,
  currency text,
  merchant_name text,
  -- Data of the method.
  details jsonb,
  -- End of the customer's time to decide.
  expires_at timestamptz,
  -- When the customer withdrew it; the rail is asked to cancel until it answers.
  withdrawn_at timestamptz,
  -- Number, name and expiry, sealed; deleted after the last use. Never the CVV.
  sealed_card bytea,
  three_ds_id uuid,
  failure text,
  reference text,
  created_at timestamptz,
  modified_at timestamptz,
  primary key (wallet_id, id),
  check (state <> 'GIVEN_UP' or given_up_at is not null),
  constraint attempts_owned_check check (
    case when owner is null
      then state not in ('OPEN', 'ABANDONED', 'RETURNED')
        and num_nonnulls(
          page_token, amount, currency, merchant_name, details, expires_at, withdrawn_at, sealed_card, three_ds_id,
          failure, reference, created_at, modified_at
        ) = 0
      else num_nulls(page_token, amount, currency, merchant_name, details, created_at, modified_at) = 0
        and (state not in ('DECLINED', 'RETURNED', 'GIVEN_UP', 'CLOSED', 'TO_REVERSE', 'REVERSED') or failure is not null)
    end
  ),
  constraint attempts_card_check check (state in ('OPEN', 'ASKED') or sealed_card is null),
  -- The rail of an APPROVED attempt may be asked again. The rest of a RETURNED debit is clawed back after
  -- its refunds are decided.
  constraint attempts_due_check check (
    state in ('APPROVED', 'RETURNED') or (state in ('OPEN', 'ASKED', 'GIVEN_UP', 'TO_REVERSE')) = (due_at is not null)
  )
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);
create index attempts_due on attempts (due_at) where due_at is not null;
create index attempts_to_reverse on attempts (wallet_id) where state = 'TO_REVERSE';
-- Rails name an attempt without its merchant.
create unique index attempts_by_key on attempts (id) where owner is not null;
create unique index attempts_by_page on attempts (wallet_id, operation_id, method, page_token) where owner is not null;
create index attempts_open_by_phone on attempts (wallet_id, (details ->> 'phone'))
  where method = 'MBWAY' and state = 'ASKED';
-- Used by the issuer, and by browsers that return from it.
create unique index attempts_by_three_ds_id on attempts (three_ds_id) where three_ds_id is not null;
-- A customer of the card API knows only this id.
create index attempts_of_card_api on attempts (operation_id) where owner in ('card_api', 'card_store');

-- Shares of split payments.
create table shares (
  wallet_id bigint not null,
  operation_id uuid not null,
  position integer not null check (position between 0 and 99),
  merchant_wallet_id bigint not null check (merchant_wallet_id <> wallet_id),
  fraction text not null,
  fee_fixed bigint not null check (fee_fixed >= 0),
  fee_variable_bp integer not null check (fee_variable_bp between 0 and 10000),
  descr text,
  amount bigint not null check (amount >= 0),
  refunded bigint not null default 0 check (refunded between 0 and amount),
  -- The sub-merchant's operation; none for an empty share.
  transfer_id uuid not null,
  created_at timestamptz not null,
  primary key (wallet_id, operation_id, position),
  unique (wallet_id, operation_id, merchant_wallet_id)
);

-- Reports of rails that took back more than was left: the rest follows when money of the payment
-- comes back.
create table rail_shortfalls (
  wallet_id bigint not null references wallets (id),
  -- A payment, or a hold whose captures bear it.
  operation_id uuid not null,
  report_id uuid not null,
  channel text not null,
  reason text not null,
  -- The maximum reported so far: notices may arrive in any order.
  withdrawn bigint not null,
  reinstated bigint not null,
  missing bigint not null check (missing >= 0),
  noted_at timestamptz not null,
  primary key (wallet_id, operation_id, report_id)
);

-- Only for wallets with a limit: the total of payments of a Lisbon day.
create table limit_days (
  wallet_id bigint not null references wallets (id),
  day date not null,
  taken bigint not null check (taken >= 0),
  primary key (wallet_id, day)
);

-- The payments in that total; failed ones are removed when space is needed.
create table limit_uses (
  wallet_id bigint not null,
  day date not null,
  operation_id uuid not null,
  amount bigint not null check (amount > 0),
  reserved_at timestamptz not null,
  -- Once the payment has completed, it stays in its day.
  final boolean not null default false,
  primary key (wallet_id, day, operation_id)
);
create index limit_uses_open on limit_uses (wallet_id, day) where not final;
`
