// Migration: subscriptions that charge themselves.

export const sql = `
alter table subscriptions add column auto_charged boolean not null default false;

-- Set for charges that the gateway makes: the number since the beginning, and the attempt within the cycle.
-- If the charge is refused for a reason that can pass, the next attempt is on retry_on (a Lisbon day, yyyy-mm-dd).
alter table charges
  add column number integer,
  add column attempt integer,
  add column retry_on text,
  add column next_on text;

-- The gateway's charge in each cycle, and the moment of its next step.
create table auto_charges (
  wallet_id bigint not null,
  subscription_id uuid not null,
  status text not null check (status in ('NEW', 'ACTIVE', 'PAUSED', 'ENDED')),
  amount bigint not null check (amount > 0),
  ext_invoiceid text,
  items jsonb,
  max_charges integer check (max_charges > 0),
  -- Days from the first attempt of a cycle to each further one.
  retries jsonb not null,
  -- The latest charge. Its cycle is null before the first.
  cycle integer,
  number integer not null default 0 check (number >= 0),
  attempt integer not null default 0 check (attempt >= 0),
  charge_id uuid,
  charged_amount bigint check (charged_amount > 0),
  outcome text check (outcome in ('CHARGING', 'PAID', 'REFUSED', 'RETRYING', 'FAILED')),
  error text,
  first_on text,
  retry_on text,
  next_cycle integer not null default 0 check (next_cycle >= 0),
  created_at timestamptz not null,
  modified_at timestamptz not null,
  due_at timestamptz,
  -- The merchant ended it: the customer cannot start it again.
  stopped_at timestamptz,
  primary key (wallet_id, subscription_id),
  check ((cycle is null) = (outcome is null)),
  check (due_at is null or status = 'ACTIVE'),
  check (stopped_at is null or status = 'ENDED')
) with (fillfactor = 80);
create index auto_charges_due on auto_charges (due_at) where due_at is not null;
create index auto_charges_calendar on auto_charges (wallet_id, due_at);

-- One row for each attempt: two processes that charge the same cycle have one winner.
create table charged_cycles (
  wallet_id bigint not null,
  subscription_id uuid not null,
  cycle integer not null,
  attempt integer not null,
  charge_id uuid not null,
  primary key (wallet_id, subscription_id, cycle, attempt)
);

-- A charge that is refused after a pause or an end is not tried again.
create function forget_retry() returns trigger language plpgsql as $$
begin
  if exists (
    select from auto_charges
    where wallet_id = new.wallet_id and subscription_id = new.subscription_id and status <> 'ACTIVE'
  ) then
    new.retry_on = null;
  end if;
  return new;
end
$$;
create trigger refused_charges_forget_retries before update on charges for each row
  when (new.retry_on is not null and new.status = 'FAIL' and new.status <> old.status)
  execute function forget_retry();

-- The scheduler decides about a refused charge at once, and about a paid one if nothing else is due.
create function note_auto_charge() returns trigger language plpgsql as $$
begin
  update auto_charges set
    outcome = case
      when new.status = 'SUCCESS' then 'PAID'
      when status <> 'ACTIVE' then 'FAILED'
      else 'REFUSED'
    end,
    retry_on = case when new.status = 'FAIL' and status = 'ACTIVE' then retry_on end,
    error = new.error,
    due_at = case
      when status <> 'ACTIVE' then null
      when new.status = 'SUCCESS' then coalesce(due_at, new.modified_at)
      else new.modified_at
    end,
    modified_at = new.modified_at
  where wallet_id = new.wallet_id and subscription_id = new.subscription_id and charge_id = new.id
    and outcome = 'CHARGING';
  return null;
end
$$;
create trigger ended_charges_are_noted after update on charges for each row
  when (new.attempt is not null and new.status in ('SUCCESS', 'FAIL') and new.status <> old.status)
  execute function note_auto_charge();

-- An accepted subscription begins to charge itself, and an ended one stops.
create function note_subscription() returns trigger language plpgsql as $$
begin
  if new.status = 'APPROVED' then
    update auto_charges set status = 'ACTIVE', due_at = new.modified_at, modified_at = new.modified_at
    where wallet_id = new.wallet_id and subscription_id = new.id and status = 'NEW';
  else
    update auto_charges set
      status = 'ENDED', due_at = null, modified_at = new.modified_at,
      outcome = case when outcome in ('REFUSED', 'RETRYING') then 'FAILED' else outcome end
    where wallet_id = new.wallet_id and subscription_id = new.id and status <> 'ENDED';
  end if;
  return null;
end
$$;
create trigger moved_subscriptions_are_noted after update on subscriptions for each row
  when (new.auto_charged and new.status <> old.status)
  execute function note_subscription();
`
