// Splits: how a payment is to be divided, the shares it was divided into, and what refunds take from each.

export const sql = `
alter table operations
  -- Of a payment: who is to get which part once it completes, as it was agreed when it was asked for.
  add column split jsonb check (split is null or type = 'PAYMENT'),
  -- When the payment was divided, and how often refunds have reserved or given back since it completed: a
  -- refund is computed from what it read, and opens only if nothing of that has changed.
  add column split_at timestamptz,
  add column refund_revision integer not null default 0,
  -- Of a refund of a divided payment: what it takes from which share, and who decided so.
  add column takes jsonb,
  add column take_source text check (take_source in ('proportion', 'listed', 'owner')),
  add check (split_at is null or (type = 'PAYMENT' and status = 'COMPLETED')),
  add check ((takes is null) = (take_source is null) and (takes is null or type = 'REFUND'));

create table shares (
  wallet_id bigint not null,
  operation_id uuid not null,
  position integer not null check (position between 0 and 99),
  merchant_wallet_id bigint not null check (merchant_wallet_id <> wallet_id),
  fraction text not null,
  fee_fixed bigint not null check (fee_fixed >= 0),
  fee_variable_bp integer not null check (fee_variable_bp between 0 and 10000),
  descr text,
  amount bigint not null check (amount >= 0),
  refunded bigint not null default 0 check (refunded between 0 and amount),
  -- The operation by which the sub-merchant sees the share; none is made for a share of nothing.
  transfer_id uuid not null,
  created_at timestamptz not null,
  primary key (wallet_id, operation_id, position),
  unique (wallet_id, operation_id, merchant_wallet_id)
);
`
