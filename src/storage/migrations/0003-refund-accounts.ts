// Migration: the payer's account of a refund that a provider makes.

export const sql = `
alter table suspense_entries add column refund_to jsonb;
`
