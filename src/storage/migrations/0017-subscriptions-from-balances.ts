// Subscriptions that are charged to the balance of a consumer.

export const sql = `
alter table subscriptions
  -- Who accepted it with e-mail and PIN.
  add column consumer_id bigint references wallets (id),
  add check (status not in ('APPROVED', 'EXPIRED', 'CANCELED') or method <> 'WALLET' or consumer_id is not null);
`
