// Migration: pages of the shop that may show the checkout in a frame.

export const sql = `
alter table wallets add column embed_origins text[] not null default '{}';
`
