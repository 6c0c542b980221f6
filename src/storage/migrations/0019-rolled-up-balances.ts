// Balances as of an entry, so that nobody adds up an account from its first day.

export const sql = `
-- In the order in which entries were written, as far as locks tell (src/ledger/rollups-store.ts).
alter table entries add column id bigint generated always as identity;
create index entries_by_account_id on entries (account_id, id) include (amount);
drop index entries_by_account;

create table balance_rollups (
  account_id bigint primary key references accounts (id),
  -- The last entry that is in it.
  upto bigint not null,
  balance bigint not null
);
`
