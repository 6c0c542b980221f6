// The chain of what was written: a hash of each batch of postings and events over the one before, and its signature.

export const sql = `
-- Of all wallets together: everything whose transaction comes before upto, and after the batch before.
create table chain_batches (
  number bigint primary key check (number > 0),
  -- Excluded. Below zero while history is chained, by the numbers of its postings (src/chain/positions.ts).
  upto bigint not null,
  -- Everything that was committed before this moment is in it, or in one before; null while history is chained.
  through timestamptz,
  -- In it and in all before.
  postings bigint not null,
  events bigint not null,
  hash bytea not null check (length(hash) = 32),
  -- Number of the key by which this and its links are signed.
  key integer not null,
  signature bytea not null check (length(signature) = 64)
);

-- What a batch has of one wallet.
create table chain_links (
  wallet_id bigint not null,
  number bigint not null check (number > 0),
  batch bigint not null references chain_batches (number),
  postings bigint not null,
  events bigint not null,
  hash bytea not null check (length(hash) = 32),
  signature bytea not null check (length(signature) = 64),
  primary key (wallet_id, number)
);
create index chain_links_by_batch on chain_links (batch, wallet_id);

create trigger chain_batches_append_only before update or delete or truncate on chain_batches
  for each statement execute function refuse_change();
create trigger chain_links_append_only before update or delete or truncate on chain_links
  for each statement execute function refuse_change();

create table chain_progress (
  is_only boolean primary key default true check (is_only),
  -- The last posting that was written before there was a chain; 0 where there was none.
  history bigint not null,
  -- Everything that was committed before this moment is chained; null while history is.
  through timestamptz,
  -- Number of the key by which the next batch is signed.
  key integer not null default 1 check (key > 0)
);
insert into chain_progress (history) select case when is_called then last_value else 0 end from postings_id_seq;
`
