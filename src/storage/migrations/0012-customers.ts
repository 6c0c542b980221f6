// Migration: customers of a merchant, and the cards that they save for its shop.

export const sql = `
-- A deleted customer leaves no row.
create table customers (
  wallet_id bigint not null references wallets,
  id uuid not null,
  ext_customerid text check (length(ext_customerid) between 1 and 45),
  name text check (length(name) between 1 and 100),
  -- In lower case and without accents, to be found.
  name_key text collate "C",
  email text check (length(email) between 1 and 100),
  phone text check (length(phone) between 1 and 40),
  created_at timestamptz not null,
  modified_at timestamptz not null,
  primary key (wallet_id, id)
);
create unique index customers_by_ext_customerid on customers (wallet_id, ext_customerid);
create index customers_by_email on customers (wallet_id, (lower(email) collate "C")) where email is not null;
create index customers_by_name on customers (wallet_id, name_key) where name_key is not null;
create index customers_by_phone on customers (wallet_id, phone) where phone is not null;

alter table stored_cards add column customer_id uuid;
-- The issuer refused the card for good: lost, stolen, expired or unknown.
alter table stored_cards add column refused_at timestamptz;
alter table stored_cards drop constraint stored_cards_kept_for_check;
-- Not valid, so that no scan of the table holds up payments. The rows before this step satisfy both.
alter table stored_cards add constraint stored_cards_kept_for_check
  check (kept_for in ('merchant', 'subscription', 'customer')) not valid;
alter table stored_cards add constraint stored_cards_of_customers_check
  check ((kept_for = 'customer') = (customer_id is not null)) not valid;

-- The customer whom the merchant named. Absent for all others.
alter table checkouts add column customer_id uuid;
`

export const indexes = {
  stored_cards_of_customers:
    'stored_cards (wallet_id, customer_id, fingerprint) where customer_id is not null',
}
