// Where a line stands was `told_in` in builds between two versions, whose 0108 had that name.

export const sql = `
do $$ declare
  place record;
begin
  for place in
    select table_schema, table_name from information_schema.columns
    where table_schema = current_schema() and column_name = 'told_in'
      and table_name in ('bank_entries', 'bank_lines_told_again')
  loop
    execute format('alter table %I.%I rename column told_in to place', place.table_schema, place.table_name);
  end loop;
end $$;
`
