// Which postings a day of a merchant's account lies between: its entries are found by number, without reading everybody's.

export const sql = `
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

-- Every posting up to this one is in them. By itself: a process of the version before moves the other column alone.
alter table account_days_upto add column spans_upto bigint not null default 0;
`
