// Payments by the online wallet that it takes back after they were made, and gives again when the merchant is right.

export const sql = `
create table sandbox.wallet_reversals (
  key uuid primary key references sandbox.wallet_orders,
  amount bigint not null check (amount > 0),
  reason text not null,
  state text not null check (state in ('taken', 'given_again')),
  created_at timestamptz not null,
  -- When the gateway is sent the notice again; null once it was taken.
  due_at timestamptz
);
create index wallet_reversals_due on sandbox.wallet_reversals (due_at) where due_at is not null;
`
