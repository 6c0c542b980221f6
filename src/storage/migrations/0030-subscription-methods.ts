// What a wallet's subscriptions may be accepted with, as its operator sets it.

export const sql = `
-- Whoever is here already offers what was offered so far; new wallets begin with cards and the mobile wallet.
alter table wallets add column subscription_methods text[] not null default '{CC,MBWAY,WALLET}';
alter table wallets alter column subscription_methods set default '{CC,MBWAY}';
`
