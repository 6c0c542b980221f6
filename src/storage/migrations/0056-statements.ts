// What providers have booked, by day, and where that differs from the ledger.

export const sql = `
-- Days of connections that are over: each is read, and read again while the provider may still book something.
create table statement_days (
  connection_id bigint not null references rail_connections (id),
  day date not null,
  reads integer not null default 0,
  read_at timestamptz,
  -- In a row.
  failures integer not null default 0,
  last_error text,
  -- Null once it was read for the last time.
  due_at timestamptz,
  primary key (connection_id, day),
  check ((reads > 0) = (read_at is not null)),
  check ((failures > 0) = (last_error is not null))
);
create index statement_days_due on statement_days (due_at) where due_at is not null;

create table statement_lines (
  connection_id bigint not null references rail_connections (id),
  -- The provider's.
  id text not null check (length(id) between 1 and 200),
  day date not null,
  kind text not null check (kind in ('payment', 'refund', 'dispute', 'payout', 'fee', 'other')),
  amount bigint not null,
  fee bigint not null,
  key uuid,
  provider_id text,
  booked_at timestamptz not null,
  -- The operation that it is about, with its captures, and with what its rail took back or sent back.
  wallet_id bigint,
  operation_id uuid,
  primary key (connection_id, id),
  check ((wallet_id is null) = (operation_id is null))
);
create index statement_lines_by_day on statement_lines (connection_id, day);
create index statement_lines_by_operation on statement_lines (wallet_id, operation_id) where operation_id is not null;
create index statement_lines_unmatched on statement_lines (connection_id) where operation_id is null;

create table statement_differences (
  id bigint generated always as identity primary key,
  connection_id bigint not null references rail_connections (id),
  -- Of an operation or of a line: what differs, once.
  subject text not null,
  wallet_id bigint,
  operation_id uuid,
  line_id text,
  -- The first on which either side has it.
  day date not null,
  kind text not null check (kind in ('missing', 'unknown', 'amount')),
  ledger_amount bigint not null,
  statement_amount bigint not null,
  found_at timestamptz not null,
  -- When both sides agreed after all.
  resolved_at timestamptz,
  -- The operator's explanation of these amounts.
  note text,
  explained_at timestamptz,
  unique (connection_id, subject),
  check (num_nonnulls(operation_id, line_id) = 1),
  check ((wallet_id is null) = (operation_id is null)),
  check (ledger_amount <> statement_amount),
  check ((note is null) = (explained_at is null))
);
create index statement_differences_open on statement_differences (connection_id) where resolved_at is null;

-- The postings of a day. They are only appended, so that a summary of each range of pages is enough: writing one
-- costs a payment nothing.
create index postings_by_time on postings using brin (created_at);
create index bank_entries_by_day on bank_entries (booked_on);
`
