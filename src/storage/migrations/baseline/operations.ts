// Tables of operations, attempts, shares and limits.

export const sql = `
-- What a wallet asked for under an id of its own, and the answer.
create table requests (
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

-- One function in place of many checks, as for deliveries. A column that is null makes a condition neither true nor
-- false, and passes.
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
  -- Of a payment: who is to get which part once it completes, as it was agreed when it was asked for.
  split jsonb,
  -- When the payment was divided, and how often refunds have reserved or given back since it completed: a
  -- refund is computed from what it read, and opens only if nothing of that has changed.
  split_at timestamptz,
  refund_revision integer not null default 0,
  -- Of a refund of a divided payment: what it takes from which share, and who decided so.
  share_refunds jsonb,
  refund_source text,
  instant boolean,
  starts timestamptz,
  rail_payment_id uuid,
  -- What a payment belongs to: a subscription accepted with it, or one that it is a charge of.
  subscription_id uuid,
  -- Of an authorization: grows with each divided capture. A capture is divided by what those before it gave,
  -- and settles only if none was divided since that was read.
  split_revision integer not null default 0,
  payment_link_id uuid,
  -- The span in which it was written, where the operator traces.
  traceparent text,
  -- What came back of what refunds took and rails withdrew.
  came_back bigint not null default 0,
  primary key (wallet_id, id),
  constraint operations_hold check (operation_holds(
    type, status, amount, fee, under_approval, settled_at, refunded, captured, captures, released, lapsed_at,
    split, split_at, share_refunds, refund_source
  ))
  -- Operations that one statement opened, one statement settles: the page has room for both versions of each row.
) with (fillfactor = 50);
create index operations_by_invoice on operations (wallet_id, ext_invoiceid, id) where ext_invoiceid is not null;
create index operations_by_mb_ref on operations (wallet_id, mb_ref, id) where mb_ref is not null;
create index operations_by_last4 on operations (wallet_id, (card ->> 'last4'), id) where card is not null;
create index operations_by_phone on operations (wallet_id, phone, id) where phone is not null;
create index operations_by_parent_and_type on operations (wallet_id, parent_id, type, id)
  where parent_id is not null;
-- No status: an index that names it is written again by every settlement.
create index operations_payouts on operations (wallet_id, id) where type = 'WALLETFUNDS';
-- Holds only what was paid through links: no other payment writes it.
create index operations_of_payment_link on operations (wallet_id, payment_link_id) where payment_link_id is not null;
-- Authorizations are few among many operations, as payouts are.
create index operations_authorizations on operations (wallet_id, id) where type = 'AUTH';

-- What one statement opened, to be looked at when it is due. Nearly all of it is settled by then.
create table opened_movements (
  due_at timestamptz not null,
  -- Of the first of them.
  id uuid not null,
  wallet_ids bigint[] not null,
  operation_ids uuid[] not null,
  primary key (due_at, id),
  check (cardinality(wallet_ids) = cardinality(operation_ids))
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- One request to a rail under one idempotency key. Most operations are settled before one is written.
create table attempts (
  wallet_id bigint not null,
  -- The rail's idempotency key: the operation's id, or that of the customer's attempt to pay it.
  id uuid not null,
  operation_id uuid not null,
  type text not null,
  method text not null,
  state text not null check (
    state in (
      'OPEN', 'ASKED', 'APPROVED', 'DECLINED', 'ABANDONED', 'RETURNED', 'GIVEN_UP', 'CLOSED', 'TO_REVERSE', 'REVERSED'
    )
  ),
  -- How often it was taken up in its state.
  tries integer not null default 0,
  given_up_at timestamptz,
  ended_at timestamptz,
  due_at timestamptz,
  -- What a customer's attempt is made for; null where a request is decided under its operation's own id.
  owner text check (owner in ('checkout', 'direct', 'card_api', 'card_store', 'subscription')),
  -- Of the page that posted it: the same one twice is one attempt.
  page_token uuid,
  amount bigint,
  currency text,
  merchant_name text,
  -- What is the method's own.
  details jsonb,
  -- Until when the customer may decide.
  expires_at timestamptz,
  -- When the customer took it back; the rail is told so until it has said what became of it.
  withdrawn_at timestamptz,
  -- Number, name and expiry under a key of the vault; emptied with the last use. The CVV is never here.
  sealed_card bytea,
  three_ds_id uuid,
  -- Why no money came, in a word of the rail.
  failure text,
  -- What the rail calls the payment.
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
  -- The rail of an APPROVED attempt may be asked whether it stays so. What is left of a RETURNED debit is withdrawn
  -- once the refunds of its payment are decided.
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
-- The issuer names an attempt by it, and so does the browser that returns from there.
create unique index attempts_by_three_ds_id on attempts (three_ds_id) where three_ds_id is not null;
-- A customer of the card API knows the id of what they pay, or store a card for.
create index attempts_of_card_api on attempts (operation_id) where owner in ('card_api', 'card_store');

-- The parts into which a payment was divided.
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
  -- The operation by which the sub-merchant sees the share; none is made for a share of nothing.
  transfer_id uuid not null,
  created_at timestamptz not null,
  primary key (wallet_id, operation_id, position),
  unique (wallet_id, operation_id, merchant_wallet_id)
);

-- Reports of rails that took more of a payment than was left of it: the rest is withdrawn once something of the
-- payment comes back.
create table rail_shortfalls (
  wallet_id bigint not null references wallets (id),
  -- What was disputed, or whose debit was returned: a payment, or a hold whose captures bear it.
  operation_id uuid not null,
  report_id uuid not null,
  channel text not null,
  reason text not null,
  -- The most that the report has ever said: notices may come in any order.
  withdrawn bigint not null,
  reinstated bigint not null,
  missing bigint not null check (missing >= 0),
  noted_at timestamptz not null,
  primary key (wallet_id, operation_id, report_id)
);

-- Of wallets with a limit alone: what the payments of a Lisbon day come to, at the least those that have not failed.
create table limit_days (
  wallet_id bigint not null references wallets (id),
  day date not null,
  taken bigint not null check (taken >= 0),
  primary key (wallet_id, day)
);

-- The payments of which that is the sum; those that failed are removed when their room is needed.
create table limit_uses (
  wallet_id bigint not null,
  day date not null,
  operation_id uuid not null,
  amount bigint not null check (amount > 0),
  reserved_at timestamptz not null,
  -- Once it is known that the payment was completed: it stays in its day for good.
  final boolean not null default false,
  primary key (wallet_id, day, operation_id)
);
create index limit_uses_open on limit_uses (wallet_id, day) where not final;
`
