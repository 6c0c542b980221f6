// What a merchant's own team sets: how its pages look, where its customers find help, and which methods it leaves out.

export const sql = `
alter table wallets
  -- As #rrggbb, readable on white.
  add column brand_colour text check (brand_colour ~ '^#[0-9a-f]{6}$'),
  -- The name of its picture in wallet_logos.
  add column logo text,
  add column terms_url text,
  add column privacy_url text,
  add column support_url text,
  add column support_email text,
  add column support_phone text,
  add column page_language text check (page_language in ('pt', 'en')),
  -- Methods that its operator allows and it does not offer.
  add column methods_off text[] not null default '{}';

create table wallet_logos (
  wallet_id bigint primary key references wallets (id),
  file text not null,
  type text not null check (type in ('image/png', 'image/jpeg', 'image/webp')),
  content bytea not null check (octet_length(content) <= 102400),
  created_at timestamptz not null
);
create index wallet_logos_by_file on wallet_logos (file);
`
