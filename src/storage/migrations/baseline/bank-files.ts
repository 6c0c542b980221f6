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
  -- The format that the file was gathered for.
  format text not null
);

-- What the bank is to do, each in exactly one file.
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
  -- What became of an order: paid, or returned, which can also come after it was paid.
  answer text check (answer in ('paid', 'returned')),
  -- The bank's own code of why it was returned, such as AC04.
  return_code text,
  answered_at timestamptz,
  -- Until its operation follows the answer.
  due_at timestamptz,
  -- The collection that a transfer gives back.
  refund_of uuid check (kind = 'transfer' or refund_of is null),
  -- What the bank said of an order that it did not answer, for the operator.
  hint text,
  -- Where a debtor lives whose account is outside the European Economic Area: their bank asks for it.
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

-- Orders that an operator answered.
create table bank_settlements (
  -- Under which its fee is posted.
  id uuid not null unique,
  wallet_id bigint not null,
  order_id uuid not null,
  answer text not null check (answer in ('paid', 'returned')),
  -- What the answer moves: of a debit that came back, without what refunds had sent of it.
  amount bigint not null check (amount >= 0),
  fee bigint not null check (fee >= 0),
  reason text not null check (btrim(reason) <> ''),
  -- Whether the limit of that time wanted a second person.
  needs_second boolean not null,
  settled_by text not null,
  settled_at timestamptz not null,
  approved_by text,
  approved_at timestamptz,
  -- An order that was paid can still be returned.
  primary key (wallet_id, order_id, answer),
  foreign key (wallet_id, order_id) references bank_orders (wallet_id, id),
  check (num_nulls(approved_by, approved_at) in (0, 2)),
  check (approved_by is null or needs_second and approved_by <> settled_by)
);
create unique index bank_settlements_waiting on bank_settlements (order_id)
  where needs_second and approved_at is null;

-- A file of the bank that was imported: known by its content, so that it counts once.
create table bank_reports (
  id uuid primary key,
  kind text not null check (kind in ('statement', 'notification', 'status')),
  message_id text not null,
  file_name text not null,
  imported_at timestamptz not null,
  -- How many entries were written of it, and what they bring and take: an entry that is changed later shows.
  entries integer,
  credited bigint,
  debited bigint,
  -- Of all that the file says.
  digest text,
  constraint bank_reports_entries check (num_nulls(entries, credited, debited) in (0, 3))
);

-- What the bank's reports say, each entry once.
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
  -- In which statement the line stands.
  place text,
  in_doubt boolean not null default false,
  -- Texts in other places than the payer's.
  further_text text,
  -- What the bank kept, beside the amount, which is that of the order.
  charge bigint,
  -- For several orders at once, so that none of them can bear it.
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

-- Lines that the other kind of file reports again.
create table bank_line_duplicates (
  -- Of the file that tells the line again.
  kind text not null check (kind in ('statement', 'notification')),
  -- What the line would be called by what that file says; the same text in another file of the kind is the same line.
  entry_id uuid not null,
  -- The line in bank_entries that it is; told again by one line at the most.
  same_as uuid not null unique,
  report_id uuid not null references bank_reports (id),
  place text,
  primary key (kind, entry_id)
);
`
