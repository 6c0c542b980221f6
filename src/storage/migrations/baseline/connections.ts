// Tables of provider connections and provider statements.

export const sql = `
create table rail_connections (
  id bigint generated always as identity primary key,
  -- Part of its webhook address.
  public_id text not null unique check (public_id ~ '^[0-9A-Za-z]{22}$'),
  driver text not null check (driver ~ '^[a-z][a-z0-9-]{0,31}$'),
  -- Null: the gateway's own, for merchants without one.
  wallet_id bigint references wallets (id),
  rails text[] not null check (cardinality(rails) > 0),
  settings jsonb not null check (jsonb_typeof(settings) = 'object'),
  secrets_sealed bytea not null,
  allow_unproven boolean not null,
  enabled boolean not null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  -- The provider's account of the secrets, if known.
  account text
);
create unique index rail_connections_in_use on rail_connections (driver, coalesce(wallet_id, 0)) where enabled;

-- The last answer and the last failure of each connection.
create table rail_contacts (
  connection_id bigint not null references rail_connections (id),
  kind text not null check (kind in ('answer', 'error')),
  at timestamptz not null,
  -- HTTP status or error name, never the provider's text.
  said text not null,
  primary key (connection_id, kind)
);

-- Requests sent over connections, by key.
create table rail_requests (
  key uuid primary key,
  -- Null: the key was cancelled before any request.
  -- No foreign key to rail_connections: it would lock that row for every payment.
  connection_id bigint,
  -- Null if the rail does not name the wallet.
  wallet_id bigint,
  rail text not null,
  steps jsonb not null default '{}' check (jsonb_typeof(steps) = 'object'),
  provider_id text,
  ids jsonb not null default '{}' check (jsonb_typeof(ids) = 'object'),
  signature text,
  status text,
  answer jsonb,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  check (connection_id is not null or steps = '{}')
);
create unique index rail_requests_by_provider_id on rail_requests (connection_id, provider_id)
  where provider_id is not null;
create index rail_requests_signed on rail_requests (changed_at) where signature is not null;

-- Provider webhooks: stored, answered, handled later.
create table rail_webhooks (
  id bigint generated always as identity primary key,
  connection_id bigint not null references rail_connections (id),
  -- The provider's id, or a hash of the content.
  notification_id text not null check (length(notification_id) between 1 and 200),
  -- Verified and decrypted; deleted after handling.
  payload text,
  received_at timestamptz not null,
  tries integer not null,
  -- Null when handled or given up.
  due_at timestamptz,
  handled_at timestamptz,
  last_error text,
  -- Our key of the related request; the first of several.
  about uuid,
  unique (connection_id, notification_id),
  check (handled_at is null or (due_at is null and payload is null)),
  check (handled_at is not null or payload is not null)
);
create index rail_webhooks_not_handled on rail_webhooks (received_at) where handled_at is null;
create index rail_webhooks_handled on rail_webhooks (handled_at) where handled_at is not null;
create index rail_webhooks_due on rail_webhooks (connection_id, due_at) where due_at is not null;
create index rail_webhooks_by_request on rail_webhooks (about) where about is not null;

-- An own Multibanco entity by files: references, files, payments.
create table multibanco_references (
  connection_id bigint not null references rail_connections (id),
  ref text not null check (length(ref) = 9),
  amount_min bigint not null,
  amount_max bigint not null,
  -- Days in Portugal, yyyy-mm-dd.
  first_day text not null,
  last_day text not null,
  withdrawn boolean not null default false,
  published boolean not null default false,
  -- Whether the next file must contain it.
  pending boolean not null default true,
  primary key (connection_id, ref)
);
create index multibanco_references_pending on multibanco_references (connection_id) where pending;

create table multibanco_files (
  connection_id bigint not null references rail_connections (id),
  kind text not null check (kind in ('AEPS', 'MEPS')),
  -- The day and a digit, as in both layouts.
  file_id text not null check (length(file_id) = 9),
  name text not null,
  -- The content of our file; the digest of the network's.
  content text not null,
  lines integer not null,
  total bigint not null,
  fees bigint not null,
  vat bigint not null,
  created_at timestamptz not null,
  written_at timestamptz,
  primary key (connection_id, kind, file_id)
);

create table multibanco_payments (
  -- Derived from entity, file and log number, so that a payment counts once.
  id uuid primary key,
  connection_id bigint not null references rail_connections (id),
  file_id text not null,
  ref text not null,
  amount bigint not null check (amount > 0),
  fee bigint not null,
  paid_at timestamptz not null,
  handled_at timestamptz
);
create index multibanco_payments_open on multibanco_payments (connection_id, id) where handled_at is null;

-- Past days of connections, read again while the provider may still book.
create table statement_days (
  connection_id bigint not null references rail_connections (id),
  day date not null,
  reads integer not null default 0,
  read_at timestamptz,
  failures integer not null default 0,
  last_error text,
  -- Null after the last read.
  due_at timestamptz,
  primary key (connection_id, day),
  check ((reads > 0) = (read_at is not null)),
  check ((failures > 0) = (last_error is not null))
);
create index statement_days_due on statement_days (due_at) where due_at is not null;

-- The provider's statement lines.
create table statement_lines (
  connection_id bigint not null references rail_connections (id),
  id text not null check (length(id) between 1 and 200),
  day date not null,
  kind text not null check (kind in ('payment', 'refund', 'dispute', 'payout', 'fee', 'other')),
  amount bigint not null,
  fee bigint not null,
  key uuid,
  provider_id text,
  booked_at timestamptz not null,
  -- The related operation.
  wallet_id bigint,
  operation_id uuid,
  primary key (connection_id, id),
  check ((wallet_id is null) = (operation_id is null))
);
create index statement_lines_by_day on statement_lines (connection_id, day);
create index statement_lines_by_operation on statement_lines (wallet_id, operation_id) where operation_id is not null;
create index statement_lines_unmatched on statement_lines (connection_id) where operation_id is null;

-- Differences from the ledger.
create table statement_differences (
  id bigint generated always as identity primary key,
  connection_id bigint not null references rail_connections (id),
  -- One difference per operation or line.
  subject text not null,
  wallet_id bigint,
  operation_id uuid,
  line_id text,
  -- The first day on either side.
  day date not null,
  kind text not null check (kind in ('missing', 'unknown', 'amount')),
  ledger_amount bigint not null,
  statement_amount bigint not null,
  found_at timestamptz not null,
  resolved_at timestamptz,
  -- The operator's explanation.
  note text,
  explained_at timestamptz,
  unique (connection_id, subject),
  check (num_nonnulls(operation_id, line_id) = 1),
  check ((wallet_id is null) = (operation_id is null)),
  check (ledger_amount <> statement_amount),
  check ((note is null) = (explained_at is null))
);
create index statement_differences_open on statement_differences (connection_id) where resolved_at is null;
`
