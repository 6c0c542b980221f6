// Subscriptions, the charges made under them, and checkouts whose customers accept one.

export const sql = `
create table subscriptions (
  id uuid not null,
  wallet_id bigint not null,
  status text not null check (status in ('NEW', 'APPROVED', 'FAILED', 'EXPIRED', 'CANCELED', 'VOIDED')),
  -- What the customer allows per cycle.
  -- Nothing is known of it before the customer has set the limit of a mandate that opened the subscription.
  amount bigint not null check (amount > 0 or (amount = 0 and checkout_id is null and status in ('NEW', 'FAILED'))),
  currency text not null,
  frequency integer not null check (frequency between 1 and 365),
  period text not null check (period in ('DAY', 'WEEK', 'MONTH')),
  -- Lisbon days, yyyy-mm-dd; the end is the last day, and ends_at the moment after it.
  start_date text not null check (start_date ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
  end_date text check (end_date ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
  ends_at timestamptz,
  -- The end that was asked for, before any method lowered it.
  asked_end_date text,
  ext_subscriptionid text,
  description text,
  client jsonb,
  checkout_id uuid,
  -- The payment made in the same acceptance.
  operation_id uuid,
  method text check (method in ('CC', 'MBWAY', 'WALLET')),
  attempt_id uuid,
  under_approval boolean not null default false,
  card_token uuid,
  card jsonb,
  -- Of the mobile wallet, under which it is charged.
  mandate_id uuid,
  -- What is charged, or being charged, of the allowance of the latest cycle.
  cycle integer not null default 0 check (cycle >= 0),
  cycle_charged bigint not null default 0,
  error text,
  created_at timestamptz not null,
  modified_at timestamptz not null,
  primary key (wallet_id, id),
  check ((end_date is null) = (ends_at is null)),
  check (end_date is null or end_date >= start_date),
  -- A customer who lowers the limit of a mandate may lower it below what was charged.
  check (cycle_charged >= 0 and (cycle_charged <= amount or mandate_id is not null)),
  check (not under_approval or status = 'NEW'),
  check (status not in ('APPROVED', 'EXPIRED', 'CANCELED') or method is not null),
  check (status not in ('APPROVED', 'EXPIRED', 'CANCELED') or method <> 'CC' or card_token is not null),
  check (status not in ('APPROVED', 'EXPIRED', 'CANCELED') or method <> 'MBWAY' or mandate_id is not null)
);
create index subscriptions_by_operation on subscriptions (wallet_id, operation_id) where operation_id is not null;
create index subscriptions_ending on subscriptions (ends_at) where status = 'APPROVED' and ends_at is not null;

create table charges (
  id uuid not null,
  wallet_id bigint not null,
  subscription_id uuid not null,
  -- The payment it becomes: its id is known before any rail is asked.
  operation_id uuid not null,
  status text not null check (status in ('NEW', 'PROCESSING', 'SUCCESS', 'FAIL')),
  amount bigint not null check (amount > 0),
  currency text not null,
  -- Whose allowance it uses.
  cycle integer not null check (cycle >= 0),
  ext_invoiceid text,
  items jsonb,
  client jsonb,
  error text,
  -- How often it was taken up, and whether its payment is open.
  attempts integer not null default 0,
  opened boolean not null default false,
  created_at timestamptz not null,
  modified_at timestamptz not null,
  due_at timestamptz,
  primary key (wallet_id, id),
  check ((status in ('NEW', 'PROCESSING')) = (due_at is not null)),
  check ((status = 'FAIL') = (error is not null)),
  check (not opened or status <> 'NEW'),
  check (opened or status <> 'SUCCESS')
);
create unique index charges_by_operation on charges (wallet_id, operation_id);
create index charges_by_subscription on charges (wallet_id, subscription_id, id);
create index charges_due on charges (due_at) where due_at is not null;

-- What a payment belongs to: a subscription accepted with it, or one that it is a charge of.
alter table operations add column subscription_id uuid;

alter table checkouts
  alter column operation_id drop not null,
  add column subscription_id uuid,
  drop constraint checkouts_kind_check,
  add constraint checkouts_kind_check check (kind in ('payment', 'authorization', 'subscription')),
  add check ((kind = 'subscription') = (operation_id is null)),
  add check (kind <> 'subscription' or subscription_id is not null);

alter table card_attempts
  drop constraint card_attempts_owner_check,
  add constraint card_attempts_owner_check
    check (owner in ('checkout', 'card_api', 'card_store', 'subscription')),
  -- Whether the customer lets the card be charged again, without them, once it is approved.
  add column keeps_card boolean not null default false;
`
