// What the bank says by file: entries of our account, each once, and what they mean for the orders in our files.

export const sql = `
-- What became of an order: paid, or returned, which can also come after it was paid.
alter table bank_orders
  add column answer text check (answer in ('paid', 'returned')),
  -- The bank's own code of why it was returned, such as AC04.
  add column return_code text,
  add column answered_at timestamptz,
  -- Until its operation follows the answer.
  add column due_at timestamptz,
  -- The collection that a transfer gives back.
  add column refund_of uuid check (kind = 'transfer' or refund_of is null),
  add constraint bank_orders_answered check ((answer is null) = (answered_at is null)),
  add constraint bank_orders_due check (due_at is null or answer is not null);
create index bank_orders_by_id on bank_orders (id);
create index bank_orders_by_operation on bank_orders (operation_id);
create index bank_orders_due on bank_orders (due_at) where due_at is not null;
create index bank_orders_by_refunded on bank_orders (refund_of) where refund_of is not null;

-- The format that a file was gathered for; files of before have the one of their name.
alter table bank_files add column format text;

-- A file of the bank that was imported: known by its content, so that it counts once.
create table bank_reports (
  id uuid primary key,
  kind text not null check (kind in ('statement', 'notification', 'status')),
  message_id text not null,
  file_name text not null,
  imported_at timestamptz not null
);

create table bank_entries (
  -- The wallet whose order it answers; 0, the gateway's own, where there is none.
  wallet_id bigint not null,
  -- Derived from the account and the bank's reference: the same entry in two files is one.
  id uuid not null unique,
  report_id uuid not null references bank_reports (id),
  -- The same for all transactions of one booked line; without details many may stand in one.
  entry_id uuid not null,
  has_details boolean not null,
  servicer_reference text,
  direction text not null check (direction in ('credit', 'debit')),
  amount bigint not null check (amount >= 0),
  currency text not null,
  booked_on date,
  code text,
  end_to_end_id text,
  party_name text,
  party_iban text,
  remittance text,
  return_code text,
  state text not null check (state in ('ORDER', 'TRANSFER', 'UNMATCHED', 'RESOLVED')),
  order_id uuid,
  -- Why nothing follows from it.
  problem text,
  -- What the operator did about it.
  resolution text,
  -- Of a transfer, until it is put to a wallet or among those that are nobody's.
  due_at timestamptz,
  created_at timestamptz not null,
  primary key (wallet_id, id),
  check ((state = 'ORDER') = (order_id is not null)),
  check (due_at is null or state = 'TRANSFER'),
  check (state in ('ORDER', 'TRANSFER') or problem is not null),
  check ((state = 'RESOLVED') = (resolution is not null))
);
create index bank_entries_by_line on bank_entries (entry_id);
create index bank_entries_due on bank_entries (due_at) where due_at is not null;
create index bank_entries_unmatched on bank_entries (created_at) where state = 'UNMATCHED';
`
