// What was written of each file of the bank, kept with the file: an entry that is changed later, or added, shows.

export const sql = `
-- Null for files of before.
alter table bank_reports
  add column entries integer,
  add column credited bigint,
  add column debited bigint,
  add constraint bank_reports_entries check (num_nulls(entries, credited, debited) in (0, 3));
`
