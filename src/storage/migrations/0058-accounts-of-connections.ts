// Which account at its provider a connection's secrets belong to, where the provider says so.

export const sql = `
alter table rail_connections add column account text;
`
