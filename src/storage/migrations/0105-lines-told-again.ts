// Lines of an account that the other kind of file tells again: a notification what a statement told, or the other way.

export const sql = `
create table bank_lines_told_again (
  -- Of the file that tells the line again.
  kind text not null check (kind in ('statement', 'notification')),
  -- What the line would be called by what that file says; the same text in another file of the kind is the same line.
  entry_id uuid not null,
  -- The line in bank_entries that it is; told again by one line at the most.
  same_as uuid not null unique,
  report_id uuid not null references bank_reports (id),
  primary key (kind, entry_id)
);

-- Which of them were told by both is not known of those of before: all of them count as told.
insert into bank_lines_told_again (kind, entry_id, same_as, report_id)
select distinct on (bank_entries.entry_id)
  case bank_reports.kind when 'statement' then 'notification' else 'statement' end,
  bank_entries.entry_id, bank_entries.entry_id, bank_entries.report_id
from bank_entries join bank_reports on bank_reports.id = bank_entries.report_id
order by bank_entries.entry_id, bank_entries.created_at, bank_entries.id;
`
