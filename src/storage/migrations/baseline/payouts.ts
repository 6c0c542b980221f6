// Tables of payout schedules and account days.

export const sql = `
create table payout_schedules (
  wallet_id bigint primary key references wallets (id),
  frequency text not null check (frequency in ('none', 'daily', 'weekly', 'monthly')),
  -- Day of the week from Monday, or of the month.
  day smallint,
  -- Minimum of a payout.
  minimum bigint not null check (minimum > 0),
  -- Amount that stays on the balance.
  keep bigint not null check (keep >= 0),
  next_on date,
  -- Next order; later while a process works on it.
  due_at timestamptz,
  modified_at timestamptz not null,
  check (
    case frequency when 'weekly' then day between 1 and 5 when 'monthly' then day between 1 and 31 else day is null end
  ),
  check ((frequency = 'none') = (next_on is null) and (next_on is null) = (due_at is null))
);
create index payout_schedules_due on payout_schedules (due_at) where due_at is not null;

-- One per due day, so never two payouts.
create table payout_runs (
  wallet_id bigint not null references payout_schedules (wallet_id),
  day date not null,
  operation_id uuid not null,
  outcome text check (outcome in ('ordered', 'skipped')),
  amount bigint,
  reason text,
  ran_at timestamptz not null,
  primary key (wallet_id, day),
  check ((coalesce(outcome, '') = 'ordered') = (amount is not null)),
  check ((coalesce(outcome, '') = 'skipped') = (reason is not null))
);

-- Movements of each account by day.
create table account_days (
  account_id bigint not null references accounts (id),
  -- In Lisbon.
  day date not null,
  kind text not null check (kind in ('payment', 'refund', 'payout', 'share', 'bank_charge', 'other')),
  method text not null,
  -- Added to the balance, including kept fees; negative if taken.
  gross bigint not null,
  fee bigint not null,
  entries bigint not null,
  primary key (account_id, day, kind, method)
);

create table account_days_upto (
  is_only boolean primary key default true check (is_only),
  -- The last posting included in account_days and account_day_spans.
  upto bigint not null
);
insert into account_days_upto (upto) values (0);

-- First and last posting of an account's day, for fast reads.
create table account_day_spans (
  account_id bigint not null references accounts (id),
  -- In Lisbon.
  day date not null,
  first_id bigint not null,
  last_id bigint not null,
  -- A fee took the whole amount, so no posting shows it.
  has_fees_alone boolean not null,
  primary key (account_id, day),
  check (first_id <= last_id)
);
`
