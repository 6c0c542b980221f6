// Migration: holds of the online wallet.

export const sql = `
alter table sandbox.wallet_orders add column intent text not null default 'sale' check (intent in ('sale', 'hold'));

-- Captures and releases of a hold. A capture is also an order that was paid, so that it can be refunded.
create table sandbox.wallet_movements (
  key uuid primary key,
  hold uuid not null,
  verb text not null check (verb in ('capture', 'release')),
  amount bigint not null,
  allowed boolean not null,
  transaction text not null
);
create index wallet_movements_by_hold on sandbox.wallet_movements (hold) where allowed;
`
