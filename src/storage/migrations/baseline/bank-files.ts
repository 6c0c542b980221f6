// Tables of bank orders, bank files and bank reports.

export const sql = `
create table bank_files (
  id uuid primary key,
  kind text not null check (kind in ('collection', 'transfer')),
  name text not null unique,
  orders integer not null check (orders > 0),
  total bigint not null check (total > 0),
  created_at timestamptz not null,
  written_at timestamptz,
  -- The file format.
  format text not null
);

-- Orders to the bank, each in exactly one file.
create table bank_orders (
  id uuid not null,
  wallet_id bigint not null,
  kind text not null check (kind in ('collection', 'transfer')),
  operation_id uuid not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  party_name text not null,
  party_iban text not null,
  remittance text not null,
  mandate_id text,
  signed_on date,
  due_on date not null,
  created_at timestamptz not null,
  file_id uuid references bank_files (id),
  -- Paid, or returned, even after it was paid.
  answer text check (answer in ('paid', 'returned')),
  -- The bank's reason code, such as AC04.
  return_code text,
  answered_at timestamptz,
  due_at timestamptz,
  -- The collection that a transfer refunds.
  refund_of uuid check (kind = 'transfer' or refund_of is null),
  -- The bank's remark on an unanswered order, for the operator.
  hint text,
  -- Debtors outside the European Economic Area need an address.
  party_address jsonb,
  primary key (wallet_id, id),
  check ((kind = 'collection') = (mandate_id is not null)),
  check ((mandate_id is null) = (signed_on is null)),
  constraint bank_orders_answered check ((answer is null) = (answered_at is null)),
  constraint bank_orders_due check (due_at is null or answer is not null)
);
create index bank_orders_waiting on bank_orders (kind, created_at) where file_id is null;
create index bank_orders_by_file on bank_orders (file_id) where file_id is not null;
create index bank_orders_by_id on bank_orders (id);
create index bank_orders_by_operation on bank_orders (operation_id);
create index bank_orders_due on bank_orders (due_at) where due_at is not null;
create index bank_orders_by_refunded on bank_orders (refund_of) where refund_of is not null;
create index bank_orders_open on bank_orders (created_at, id) where answer is null and file_id is not null;
create index bank_orders_hinted on bank_orders (created_at) where answer is null and hint is not null;

-- Orders answered by an operator.
create table bank_settlements (
  id uuid not null unique,
  wallet_id bigint not null,
  order_id uuid not null,
  answer text not null check (answer in ('paid', 'returned')),
  -- For a returned debit, without the refunded part.
  amount bigint not null check (amount >= 0),
  fee bigint not null check (fee >= 0),
  reason text not null check (btrim(reason) <> ''),
  -- Whether a second person was required.
  needs_second boolean not null,
  settled_by text not null,
  settled_at timestamptz not null,
  approved_by text,
  approved_at timestamptz,
  -- A paid order can still be returned.
  primary key (wallet_id, order_id, answer),
  foreign key (wallet_id, order_id) references bank_orders (wallet_id, id),
  check (num_nulls(approved_by, approved_at) in (0, 2)),
  check (approved_by is null or needs_second and approved_by <> settled_by)
);
create unique index bank_settlements_waiting on bank_settlements (order_id)
  where needs_second and approved_at is null;

-- Imported files, by content, so that each counts once.
create table bank_reports (
  id uuid primary key,
  kind text not null check (kind in ('statement', 'notification', 'status')),
  message_id text not null,
  file_name text not null,
  imported_at timestamptz not null,
  -- Number and totals of its entries, to detect later changes.
  entries integer,
  credited bigint,
  debited bigint,
  digest text,
  constraint bank_reports_entries check (num_nulls(entries, credited, debited) in (0, 3))
);

-- Entries of the bank's reports, each once.
create table bank_entries (
  -- The wallet of the order; 0: the gateway's own.
  wallet_id bigint not null,
  -- Derived from account and bank reference, so that two files give one entry.
  id uuid not null unique,
  report_id uuid not null references bank_reports (id),
  -- Equal for all transactions of a booked line.
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
  -- The reason for no further action.
  problem text,
  resolution text,
  -- For a transfer, until it is assigned.
  due_at timestamptz,
  created_at timestamptz not null,
  place text,
  in_doubt boolean not null default false,
  -- Texts in other fields than the payer's.
  further_text text,
  -- The bank's fee.
  charge bigint,
  -- For several orders at once, so that none bears it.
  charge_is_shared boolean,
  primary key (wallet_id, id),
  check ((state = 'ORDER') = (order_id is not null)),
  check (due_at is null or state = 'TRANSFER'),
  check (state in ('ORDER', 'TRANSFER') or problem is not null),
  check ((state = 'RESOLVED') = (resolution is not null)),
  constraint bank_entries_charge check (charge > 0)
);
create index bank_entries_by_line on bank_entries (entry_id);
create index bank_entries_due on bank_entries (due_at) where due_at is not null;
create index bank_entries_unmatched on bank_entries (created_at) where state = 'UNMATCHED';
create index bank_entries_by_day on bank_entries (booked_on);
create index bank_entries_about_order on bank_entries (wallet_id, order_id) where order_id is not null;
create index bank_entries_by_reference on bank_entries (servicer_reference) where servicer_reference is not null;
create index bank_entries_by_report on bank_entries (report_id);

-- Lines that the other kind of file repeats.
create table bank_line_duplicates (
  kind text not null check (kind in ('statement', 'notification')),
  -- The identity of the line in that file; equal text means the same line.
  entry_id uuid not null,
  -- The matching entry; matched by one line at most.
  same_as uuid not null unique,
  report_id uuid not null references bank_reports (id),
  place text,
  primary key (kind, entry_id)
);
`
