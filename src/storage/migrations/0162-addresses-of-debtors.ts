// Where a debtor lives whose account is outside the European Economic Area: their bank asks for it.

export const sql = `
alter table bank_orders add column party_address jsonb;
`
