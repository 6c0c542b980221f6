// Payment links: an address that a merchant gives to customers, under which each of them opens a checkout.

export const sql = `
create table payment_links (
  id uuid primary key,
  wallet_id bigint not null references wallets (id),
  -- What its address ends with: 22 letters and digits, 131 bits.
  code text not null unique,
  description text not null,
  -- What is paid, or between which bounds the customer chooses.
  amount bigint,
  amount_min bigint,
  amount_max bigint,
  currency text not null check (currency = 'EUR'),
  items jsonb,
  ext_invoiceid text,
  ext_email text,
  ext_customerid text,
  ext_employee text,
  notes text,
  store bigint,
  -- Methods that its checkouts do not offer.
  exclude jsonb,
  required_fields jsonb,
  -- How often it may be paid; null for any number.
  uses_max integer check (uses_max > 0),
  url_confirm text,
  url_cancel text,
  language text check (language in ('pt', 'en')),
  expires_at timestamptz,
  closed_at timestamptz,
  created_at timestamptz not null,
  check ((amount is null) = (amount_min is not null)),
  check ((amount_min is null) = (amount_max is null)),
  check (amount > 0 and amount_min > 0 and amount_min < amount_max)
);
create index payment_links_of_wallet on payment_links (wallet_id, id);

alter table operations add column payment_link_id uuid;
-- Holds only what was paid through links: no other payment writes it.
create index operations_of_payment_link on operations (wallet_id, payment_link_id) where payment_link_id is not null;
`
