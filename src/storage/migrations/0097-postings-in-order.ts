// The order in which transactions began to write postings, as 0060 has it of events: behind it they can be chained.

export const sql = `
-- The number of the transaction that wrote it. What was written before this version is 0, and stands at the beginning, by
-- its id. Eight bytes, and no line of an index: a summary of each range of pages finds what came last.
alter table postings add column written_in bigint not null default 0;
do $$
begin
  execute format(
    'alter table postings alter column written_in set default pg_current_xact_id()::text::bigint + %s',
    (select shift from event_order)
  );
end
$$;
`
