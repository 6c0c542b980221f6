// Migration: accounts that the online wallet saves for later charges. An order of 0 only saves its account.

export const sql = `
alter table sandbox.wallet_orders add column saves_account boolean not null default false;

alter table sandbox.wallet_orders add column account_ended boolean not null default false;

alter table sandbox.wallet_orders drop constraint wallet_orders_amount_check;

alter table sandbox.wallet_orders add constraint wallet_orders_amount_check check (amount > 0 or saves_account);
`
