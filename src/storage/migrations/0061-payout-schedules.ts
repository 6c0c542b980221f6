// Payouts by schedule: when each merchant wants them, and what became of each time.

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
`
