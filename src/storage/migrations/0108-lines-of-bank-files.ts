// What is kept with the bank's files and lines: a digest of all that a file says, and in which statement a line stands.

export const sql = `
-- Null for files and lines of before.
alter table bank_reports add column digest text;
alter table bank_entries add column place text, add column in_doubt boolean not null default false;
alter table bank_lines_told_again add column place text;
-- One of all entries of orders is built after the steps.
drop index if exists bank_entries_by_order;
`
