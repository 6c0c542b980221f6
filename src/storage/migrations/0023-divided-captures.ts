// Splits of authorizations: agreed with the authorization, and applied to each of its captures.

export const sql = `
alter table operations
  drop constraint operations_check7,
  -- Of an authorization: how each capture is to be divided. Its captures carry the same.
  add constraint operations_split_of check (split is null or type in ('PAYMENT', 'AUTH', 'CAPTURE')),
  drop constraint operations_check8,
  add constraint operations_divided check (
    split_at is null or (type in ('PAYMENT', 'CAPTURE') and status = 'COMPLETED')
  ),
  -- Of an authorization: grows with each divided capture. A capture is divided by what those before it gave,
  -- and settles only if none was divided since that was read.
  add column split_revision integer not null default 0;
`
