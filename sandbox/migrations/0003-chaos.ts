// What whoever tests has set to go wrong: one row for a rail, of everybody or of one merchant.

export const sql = `
create table sandbox.chaos (
  rail text not null,
  wallet_id bigint,
  kind text not null check (kind in ('slow', 'silent', 'down', 'error')),
  seconds integer check (seconds > 0),
  status integer check (status between 400 and 599),
  calls_left integer check (calls_left > 0),
  ends_at timestamptz,
  unique nulls not distinct (rail, wallet_id),
  check ((kind = 'slow') = (seconds is not null)),
  check ((kind = 'error') = (status is not null))
);
`
