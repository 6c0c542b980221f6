// What an operator lets a merchant take and be paid out; and what was taken on a day by those with a limit for it.

export const sql = `
alter table wallets
  add column payment_limit bigint check (payment_limit > 0),
  add column day_limit bigint check (day_limit > 0),
  add column payout_day_limit bigint check (payout_day_limit > 0);

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
  primary key (wallet_id, day, operation_id)
);
`
