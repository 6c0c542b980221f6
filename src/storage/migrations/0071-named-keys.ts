// What people call an API key, and the last day on which it was used.

export const sql = `
alter table api_keys add column name text, add column last_used_on date;
`
