// What a rail took of a payment beyond what was left of it: withdrawn once something of the payment comes back.

export const sql = `
create table rail_shortfalls (
  wallet_id bigint not null references wallets (id),
  -- What was disputed, or whose debit was returned: a payment, or a hold whose captures bear it.
  operation_id uuid not null,
  report_id uuid not null,
  channel text not null,
  reason text not null,
  missing bigint not null check (missing > 0),
  noted_at timestamptz not null,
  primary key (wallet_id, operation_id, report_id)
);
`
