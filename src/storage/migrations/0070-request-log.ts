// What merchants' programs asked lately and what they were answered, for the people who write them.

export const sql = `
create table request_log (
  wallet_id bigint not null,
  -- The tid of the answer; a UUIDv7, so that the newest are found by it.
  id uuid not null,
  answered_at timestamptz not null,
  key_id text not null,
  method text not null,
  route text not null,
  path text not null,
  status integer not null,
  code integer,
  duration_ms integer not null,
  address text,
  user_agent text,
  body text,
  answer text,
  primary key (wallet_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02);
create index request_log_failed on request_log (wallet_id, id) where status >= 400;
create index request_log_by_time on request_log (answered_at);
`
