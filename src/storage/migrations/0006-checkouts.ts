// Hosted checkouts. What was paid is the operation's to say; a checkout knows how it is to be paid and until when.

export const sql = `
create table checkouts (
  id uuid not null,
  wallet_id bigint not null,
  kind text not null check (kind in ('payment', 'authorization')),
  operation_id uuid not null,
  url_confirm text not null,
  url_cancel text not null,
  exclude jsonb,
  default_method text,
  required_fields jsonb,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  due_at timestamptz,
  primary key (id, wallet_id)
);
create index checkouts_due on checkouts (due_at) where due_at is not null;
`
