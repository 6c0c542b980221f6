// The chain's last batch, noted beside the chain: one whose end was deleted is not continued.

export const sql = `
alter table chain_progress
  add column last bigint not null default 0,
  add constraint chain_progress_keys check (key <= 1000);
update chain_progress set last = (select coalesce(max(number), 0) from chain_batches);
`
