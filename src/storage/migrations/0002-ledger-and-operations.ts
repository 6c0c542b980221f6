// The books (accounts, journals, entries that sum to zero) and the record of every movement of money.

export const sql = `
create table accounts (
  id bigint generated always as identity primary key,
  wallet_id bigint not null,
  kind text not null,
  currency text not null default 'EUR',
  unique (wallet_id, kind, currency)
);

create table journals (
  id uuid not null,
  wallet_id bigint not null,
  operation_id uuid not null,
  purpose text not null check (purpose in ('settle', 'split')),
  created_at timestamptz not null,
  primary key (wallet_id, id),
  unique (wallet_id, operation_id, purpose)
);

create table entries (
  wallet_id bigint not null,
  journal_id uuid not null,
  account_id bigint not null references accounts (id),
  amount bigint not null check (amount <> 0),
  primary key (wallet_id, journal_id, account_id)
);
create index entries_by_account on entries (account_id) include (amount);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append only', tg_table_name;
end
$$;
create trigger journals_append_only before update or delete or truncate on journals
  for each statement execute function refuse_change();
create trigger entries_append_only before update or delete or truncate on entries
  for each statement execute function refuse_change();

-- All entries of a journal are written by one statement, so the statement's rows must sum to zero.
create function refuse_unbalanced() returns trigger language plpgsql as $$
begin
  if exists (
    select 1
    from written join accounts on accounts.id = written.account_id
    group by written.wallet_id, written.journal_id, accounts.currency
    having sum(written.amount) <> 0
  ) then
    raise exception 'entries of a journal must sum to zero per currency';
  end if;
  return null;
end
$$;
create trigger entries_balance after insert on entries
  referencing new table as written
  for each statement execute function refuse_unbalanced();

create table operations (
  id uuid not null,
  wallet_id bigint not null,
  type text not null check (type in ('PAYMENT', 'AUTH', 'CAPTURE', 'RELEASE', 'REFUND', 'USERTRANSFER', 'WALLETFUNDS')),
  status text not null check (status in ('NEW', 'PENDING', 'COMPLETED', 'FAIL', 'VOIDED')),
  method text,
  amount bigint not null check (amount <> 0),
  fee bigint not null default 0 check (fee <= 0),
  currency text not null,
  channel text not null,
  ipaddress text,
  parent_id uuid,
  checkout_id uuid,
  attempt_id uuid,
  under_approval boolean not null default false,
  refunded bigint not null default 0 check (refunded between 0 and greatest(amount, 0)),
  ext_invoiceid text,
  ext_email text,
  ext_customerid text,
  ext_employee text,
  notes text,
  store bigint,
  items jsonb,
  client jsonb,
  card jsonb,
  mb_entity text,
  mb_ref text,
  phone text,
  callback_url text,
  cardsecure_url_confirm text,
  cardsecure_url_cancel text,
  error text,
  expires timestamptz,
  created_at timestamptz not null,
  modified_at timestamptz not null,
  settled_at timestamptz,
  due_at timestamptz,
  inquiries integer not null default 0,
  primary key (wallet_id, id),
  check ((status in ('COMPLETED', 'FAIL', 'VOIDED')) = (settled_at is not null)),
  check (not under_approval or status = 'PENDING'),
  check (due_at is null or under_approval),
  check (status = 'COMPLETED' or refunded = 0)
);
create index operations_by_parent on operations (wallet_id, parent_id) where parent_id is not null;
create index operations_by_invoice on operations (wallet_id, ext_invoiceid, id) where ext_invoiceid is not null;
create index operations_by_mb_ref on operations (wallet_id, mb_ref, id) where mb_ref is not null;
create index operations_by_last4 on operations (wallet_id, (card ->> 'last4'), id) where card is not null;
create index operations_due on operations (due_at) where due_at is not null;
create index operations_by_phone on operations (wallet_id, phone, id) where phone is not null;
`
