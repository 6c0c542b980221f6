// Online wallets, direct debits, consumers' balances, bank transfers in both directions, and the files for the bank.

export const sql = `
create table online_wallet_attempts (
  id uuid not null,
  wallet_id bigint not null,
  operation_id uuid not null,
  page_token uuid not null,
  state text not null check (state in ('OPEN', 'TAKING', 'PAID', 'DECLINED', 'ABANDONED')),
  amount bigint not null check (amount > 0),
  currency text not null,
  return_url text not null,
  approve_url text,
  failure text,
  reference text,
  inquiries integer not null default 0,
  created_at timestamptz not null,
  modified_at timestamptz not null,
  due_at timestamptz,
  primary key (wallet_id, id),
  unique (wallet_id, operation_id, page_token),
  check ((state in ('PAID', 'DECLINED', 'ABANDONED')) = (due_at is null)),
  check ((state = 'DECLINED') = (failure is not null))
);
create unique index online_wallet_attempts_by_id on online_wallet_attempts (id);
create index online_wallet_attempts_due on online_wallet_attempts (due_at) where due_at is not null;

create table direct_debits (
  id uuid not null,
  wallet_id bigint not null,
  operation_id uuid not null,
  page_token uuid not null,
  state text not null check (state in ('ORDERED', 'WAITING', 'PAID', 'RETURNED')),
  amount bigint not null check (amount > 0),
  currency text not null,
  merchant_name text not null,
  debtor_name text not null,
  iban text not null,
  mandate_id text not null,
  mandate_text text not null,
  signed_on date not null,
  signed_from text,
  collect_on date not null,
  failure text,
  inquiries integer not null default 0,
  created_at timestamptz not null,
  modified_at timestamptz not null,
  paid_at timestamptz,
  due_at timestamptz,
  primary key (wallet_id, id),
  unique (wallet_id, operation_id, page_token),
  check ((state = 'RETURNED') = (failure is not null)),
  check (state in ('PAID', 'RETURNED') or due_at is not null)
);
create unique index direct_debits_by_id on direct_debits (id);
create index direct_debits_by_operation on direct_debits (wallet_id, operation_id);
create index direct_debits_due on direct_debits (due_at) where due_at is not null;

-- Who paid what from a balance, and what could not be paid.
create table balance_payments (
  id uuid not null,
  wallet_id bigint not null,
  operation_id uuid not null,
  consumer_id bigint not null references wallets (id),
  amount bigint not null check (amount > 0),
  failure text,
  created_at timestamptz not null,
  primary key (wallet_id, id)
);
create unique index balance_payments_paid on balance_payments (wallet_id, operation_id) where failure is null;

-- Money that arrived at the bank: for a wallet, or for nobody we know.
create table incoming_transfers (
  id uuid primary key,
  text text not null,
  iban text,
  amount bigint not null check (amount > 0),
  currency text not null,
  wallet_id bigint references wallets (id),
  operation_id uuid,
  problem text,
  created_at timestamptz not null,
  assigned_at timestamptz,
  check ((wallet_id is null) = (operation_id is null)),
  check ((wallet_id is null) = (assigned_at is null)),
  check (wallet_id is not null or problem is not null)
);
create index incoming_transfers_unassigned on incoming_transfers (created_at) where wallet_id is null;

create index operations_payouts_pending on operations (wallet_id)
  where type = 'WALLETFUNDS' and status = 'PENDING';

create table bank_files (
  id uuid primary key,
  kind text not null check (kind in ('collection', 'transfer')),
  name text not null unique,
  orders integer not null check (orders > 0),
  total bigint not null check (total > 0),
  created_at timestamptz not null,
  written_at timestamptz
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
  primary key (wallet_id, id),
  check ((kind = 'collection') = (mandate_id is not null)),
  check ((mandate_id is null) = (signed_on is null))
);
create index bank_orders_waiting on bank_orders (kind, created_at) where file_id is null;
create index bank_orders_by_file on bank_orders (file_id) where file_id is not null;

-- The books of the sandbox's online wallet and bank.
create table sandbox_wallet_orders (
  key uuid primary key,
  reference text not null,
  merchant_name text not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  return_url text not null,
  language text not null check (language in ('pt', 'en')),
  state text not null check (state in ('open', 'agreed', 'paid', 'declined')),
  payer text,
  decline text,
  transaction text not null,
  given_back bigint not null default 0 check (given_back between 0 and amount),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  check ((state = 'declined') = (decline is not null))
);
create index sandbox_wallet_orders_by_reference on sandbox_wallet_orders (reference, created_at);

create table sandbox_debits (
  key uuid primary key,
  reference text not null,
  merchant_name text not null,
  debtor_name text not null,
  iban text not null,
  mandate_id text not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  state text not null check (state in ('waiting', 'paid', 'returned')),
  reason text,
  given_back bigint not null default 0 check (given_back between 0 and amount),
  created_at timestamptz not null,
  answers_at timestamptz not null,
  check ((state = 'returned') = (reason is not null))
);
create index sandbox_debits_by_reference on sandbox_debits (reference, created_at);

create table sandbox_transfers (
  key uuid primary key,
  reference text not null,
  name text not null,
  iban text not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  state text not null check (state in ('waiting', 'paid', 'returned')),
  reason text,
  created_at timestamptz not null,
  answers_at timestamptz not null,
  check ((state = 'returned') = (reason is not null))
);
create index sandbox_transfers_by_reference on sandbox_transfers (reference, created_at);

create table sandbox_given_back (
  key uuid primary key,
  of_key uuid not null,
  amount bigint not null check (amount > 0),
  decline text,
  reference text not null
);
`
