// Migration: live processes of the gateway, and the servers that have taken over the database.

export const sql = `
create table gateway_processes (
  id uuid primary key,
  outbox text,
  seen_at timestamptz not null
);
comment on table gateway_processes is 'Processes that share this database, and when each was last alive';

create table database_timelines (
  timeline text primary key,
  seen_at timestamptz not null
);
comment on table database_timelines is 'Each server that took over after a failover, by its timeline';
`
