// A full day is recounted by what may still leave it, and not by all that was paid.

export const sql = `
-- Once it is known that the payment was completed: it stays in its day for good.
alter table limit_uses add column final boolean not null default false;
`
