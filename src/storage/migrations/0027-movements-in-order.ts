// The newest captures or releases of an authorization are found without reading the others.

export const sql = `
create index operations_by_parent_and_type on operations (wallet_id, parent_id, type, id)
  where parent_id is not null;
drop index operations_by_parent;
`
