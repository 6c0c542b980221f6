// What each deed in the log of who did what has changed: the fields with their old and new values.

export const sql = `
alter table backoffice.actions add column changes jsonb;
`
