// Migration: the number of the cell.

export const sql = `
create table cell (
  is_only boolean not null default true primary key check (is_only),
  number integer not null check (number between 0 and 3843)
);
comment on table cell is 'The number of this cell, a part of every identifier that it gives out';
insert into cell (number) values (0);
`
