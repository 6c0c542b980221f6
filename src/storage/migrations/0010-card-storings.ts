// Cards on their way into the vault: from the request to the token, by way of the issuer.

export const sql = `
create table card_storings (
  id uuid not null,
  wallet_id bigint not null,
  request_id uuid not null,
  state text not null check (state in ('PENDING', 'COMPLETED', 'FAIL')),
  url_confirm text not null,
  url_cancel text not null,
  token uuid,
  created_at timestamptz not null,
  modified_at timestamptz not null,
  primary key (wallet_id, id),
  check ((state = 'COMPLETED') = (token is not null))
);
`
