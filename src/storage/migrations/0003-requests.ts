// Request ids: what a wallet asked for under an id of its own, and what it was answered.

export const sql = `
create table requests (
  wallet_id bigint not null,
  request_id uuid not null,
  fingerprint bytea not null,
  resource_id uuid not null,
  href text not null,
  http_status integer,
  answer text,
  created_at timestamptz not null,
  primary key (wallet_id, request_id),
  check ((http_status is null) = (answer is null))
);
create index requests_by_age on requests (created_at);
`
