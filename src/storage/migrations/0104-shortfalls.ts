// Reports of rails that took more of a payment than was left of it: the rest is withdrawn once something of the payment comes back.

export const sql = `
create table rail_shortfalls (
  wallet_id bigint not null references wallets (id),
  -- What was disputed, or whose debit was returned: a payment, or a hold whose captures bear it.
  operation_id uuid not null,
  report_id uuid not null,
  channel text not null,
  reason text not null,
  -- The most that the report has ever said: notices may come in any order.
  withdrawn bigint not null,
  reinstated bigint not null,
  missing bigint not null check (missing >= 0),
  noted_at timestamptz not null,
  primary key (wallet_id, operation_id, report_id)
);
`
