// What the provider of each connection last answered, and when it last did not.

export const sql = `
create table rail_contacts (
  connection_id bigint not null references rail_connections (id),
  kind text not null check (kind in ('answer', 'error')),
  at timestamptz not null,
  -- Status of HTTP, or the name of an error: never a text of the provider's.
  said text not null,
  primary key (connection_id, kind)
);
`
