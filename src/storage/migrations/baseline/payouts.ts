// Tables of payout schedules and account days.

export const sql = `
create table payout_schedules (
  wallet_id bigint primary key references wallets (id),
  frequency text not null check (frequency in ('none', 'daily', 'weekly', 'monthly')),
  -- Of the week, from Monday, or of the month.
  day smallint,
  -- What is paid out at the least.
  minimum bigint not null check (minimum > 0),
  -- What stays on the balance.
  keep bigint not null check (keep >= 0),
  next_on date,
  -- When the next is ordered; later while a process is at it.
  due_at timestamptz,
  modified_at timestamptz not null,
  check (
    case frequency when 'weekly' then day between 1 and 5 when 'monthly' then day between 1 and 31 else day is null end
  ),
  check ((frequency = 'none') = (next_on is null) and (next_on is null) = (due_at is null))
);
create index payout_schedules_due on payout_schedules (due_at) where due_at is not null;

-- One for each day on which a schedule was due: never two payouts.
create table payout_runs (
  wallet_id bigint not null references payout_schedules (wallet_id),
  day date not null,
  -- Under which it is ordered, however often that is begun.
  operation_id uuid not null,
  outcome text check (outcome in ('ordered', 'skipped')),
  amount bigint,
  reason text,
  ran_at timestamptz not null,
  primary key (wallet_id, day),
  check ((coalesce(outcome, '') = 'ordered') = (amount is not null)),
  check ((coalesce(outcome, '') = 'skipped') = (reason is not null))
);

-- What moved on each merchant's account, day by day.
create table account_days (
  account_id bigint not null references accounts (id),
  -- In Lisbon.
  day date not null,
  kind text not null check (kind in ('payment', 'refund', 'payout', 'share', 'bank_charge', 'other')),
  -- Empty where the operation has none.
  method text not null,
  -- Added to the balance, with the fee that was kept of it; negative where it was taken.
  gross bigint not null,
  fee bigint not null,
  entries bigint not null,
  primary key (account_id, day, kind, method)
);

create table account_days_upto (
  is_only boolean primary key default true check (is_only),
  -- The last posting that is added up in account_days, and in account_day_spans.
  upto bigint not null
);
insert into account_days_upto (upto) values (0);

-- The postings that a day of an account lies between: its entries are found without reading all of them.
create table account_day_spans (
  account_id bigint not null references accounts (id),
  -- In Lisbon.
  day date not null,
  -- The first and the last posting of the day that moved the account or charged it a fee.
  first_id bigint not null,
  last_id bigint not null,
  -- Whether a fee took a whole amount: no posting on the account shows it.
  has_fees_alone boolean not null,
  primary key (account_id, day),
  check (first_id <= last_id)
);
`
