// How many operations each wallet has, so that a list says its total without counting a million rows.

export const sql = `
-- Every statement that opens operations adds a row of its own, so nobody waits for anybody; now and then the rows of a
-- wallet are made into one. Their sum is exact in every snapshot.
create table operation_counts (
  wallet_id bigint not null,
  type text not null,
  id bigint generated always as identity,
  operations bigint not null check (operations > 0),
  primary key (wallet_id, type, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
insert into operation_counts (wallet_id, type, operations)
select wallet_id, type, count(*) from operations group by wallet_id, type;
`
