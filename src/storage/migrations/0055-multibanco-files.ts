// An entity of one's own, by files: references that are to be published, files either way, and payments they reported.

export const sql = `
create table multibanco_references (
  connection_id bigint not null references rail_connections (id),
  ref text not null check (length(ref) = 9),
  amount_min bigint not null,
  amount_max bigint not null,
  -- Days in Portugal, yyyy-mm-dd.
  first_day text not null,
  last_day text not null,
  withdrawn boolean not null default false,
  -- Whether any file has named it to the network.
  published boolean not null default false,
  -- Whether the next file has to name it, as it is now.
  pending boolean not null default true,
  primary key (connection_id, ref)
);
create index multibanco_references_pending on multibanco_references (connection_id) where pending;

create table multibanco_files (
  connection_id bigint not null references rail_connections (id),
  kind text not null check (kind in ('AEPS', 'MEPS')),
  -- The day and a digit, as both layouts have it.
  file_id text not null check (length(file_id) = 9),
  name text not null,
  -- Of a file of ours as it is written; of the network's its digest.
  content text not null,
  lines integer not null,
  total bigint not null,
  fees bigint not null,
  vat bigint not null,
  created_at timestamptz not null,
  -- Of a file of ours, once it lies in its folder.
  written_at timestamptz,
  primary key (connection_id, kind, file_id)
);

create table multibanco_payments (
  -- Derived from entity, file and log number: the same payment is one.
  id uuid primary key,
  connection_id bigint not null references rail_connections (id),
  file_id text not null,
  ref text not null,
  amount bigint not null check (amount > 0),
  fee bigint not null,
  paid_at timestamptz not null,
  -- Once the gateway has decided about it.
  handled_at timestamptz
);
create index multibanco_payments_open on multibanco_payments (connection_id, id) where handled_at is null;
`
