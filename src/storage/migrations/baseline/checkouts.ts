// Tables of checkouts and payment links.

export const sql = `
create table checkouts (
  id uuid not null,
  wallet_id bigint not null,
  kind text not null check (kind in ('payment', 'authorization', 'subscription')),
  operation_id uuid,
  url_confirm text not null,
  url_cancel text not null,
  exclude jsonb,
  default_method text,
  required_fields jsonb,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  due_at timestamptz,
  subscription_id uuid,
  -- E.164. Only this phone can use a mandate instead of a PIN.
  mandate_phone text,
  primary key (id, wallet_id),
  check ((kind = 'subscription') = (operation_id is null)),
  check (kind <> 'subscription' or subscription_id is not null)
);
create index checkouts_due on checkouts (due_at) where due_at is not null;

create table payment_links (
  id uuid primary key,
  wallet_id bigint not null references wallets (id),
  -- The end of its address: 22 letters and digits, 131 bits.
  code text not null unique,
  description text not null,
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
  exclude jsonb,
  required_fields jsonb,
  -- Maximum number of payments; null: no limit.
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

-- Accepted authorizations until they lapse.
create table authorization_timers (
  due_at timestamptz not null,
  wallet_id bigint not null,
  id uuid not null,
  leased_until timestamptz,
  primary key (due_at, wallet_id, id)
);
`
