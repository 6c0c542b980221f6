// What moved on each merchant's account, day by day: added up behind the postings, as balances are.

export const sql = `
create table account_days (
  account_id bigint not null references accounts (id),
  -- In Lisbon.
  day date not null,
  kind text not null check (kind in ('payment', 'refund', 'payout', 'share', 'other')),
  -- Empty where the operation has none.
  method text not null,
  -- Added to the balance, with the fee that was kept of it; negative where it was taken.
  gross bigint not null,
  fee bigint not null,
  entries bigint not null,
  primary key (account_id, day, kind, method)
);

-- Every posting up to this one is in them.
create table account_days_upto (
  is_only boolean primary key default true check (is_only),
  upto bigint not null
);
insert into account_days_upto (upto) values (0);

-- Postings lie in the order of their numbers: a summary of each range of pages finds those that are not added up yet,
-- and costs a payment nothing.
create index postings_by_number on postings using brin (id);
`
