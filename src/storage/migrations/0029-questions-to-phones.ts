// Questions to phones: counted per phone and per checkout, and taken back by the customer on the page.

export const sql = `
create index mobile_payments_open_by_phone on mobile_payments (wallet_id, phone) where state = 'ASKED';
create index mandates_by_subscription on mandates (wallet_id, subscription_id) where subscription_id is not null;

alter table mobile_payments
  -- When the customer took the question back; until the network has confirmed that, it is told again.
  add column withdrawn_at timestamptz;
alter table mandates
  -- The customer took the question back before it was answered.
  add column withdrawn boolean not null default false;
`
