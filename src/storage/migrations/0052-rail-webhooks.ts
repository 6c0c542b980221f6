// What providers send by themselves: stored once, answered at once, and handled afterwards.

export const sql = `
create table rail_webhooks (
  id bigint generated always as identity primary key,
  connection_id bigint not null references rail_connections (id),
  -- The provider's, or a hash of what it sent.
  notification_id text not null check (length(notification_id) between 1 and 200),
  -- Verified and decrypted; gone once it was handled.
  payload text,
  received_at timestamptz not null,
  tries integer not null,
  -- Null once it was handled or given up.
  due_at timestamptz,
  handled_at timestamptz,
  last_error text,
  unique (connection_id, notification_id),
  check (handled_at is null or (due_at is null and payload is null)),
  check (handled_at is not null or payload is not null)
);
create index rail_webhooks_due on rail_webhooks (due_at) where due_at is not null;
create index rail_webhooks_not_handled on rail_webhooks (received_at) where handled_at is null;
`
