// The request log in packed blocks: one row for each wallet and moment.

export const sql = `
-- Requests of one wallet that were answered within a moment. Compressed by the gateway.
create table request_log_blocks (
  wallet_id bigint not null,
  last_id uuid not null,
  first_id uuid not null,
  requests integer not null check (requests > 0),
  failed integer not null check (failed between 0 and requests),
  answered_until timestamptz not null,
  packed bytea not null,
  primary key (wallet_id, last_id),
  check (first_id <= last_id)
) with (autovacuum_vacuum_scale_factor = 0.02);
alter table request_log_blocks alter column packed set storage external;
create index request_log_blocks_failed on request_log_blocks (wallet_id, last_id) where failed > 0;
create index request_log_blocks_by_time on request_log_blocks (answered_until);

-- A process of the previous version still writes to request_log during an upgrade, so the table stays until the next version.
insert into request_log_blocks (wallet_id, last_id, first_id, requests, failed, answered_until, packed)
select wallet_id, (array_agg(id order by id desc))[1], (array_agg(id order by id))[1], count(*),
  count(*) filter (where status >= 400), max(answered_at),
  convert_to(json_agg(json_strip_nulls(json_build_object(
    'id', id, 'answeredAt', floor(extract(epoch from answered_at) * 1000)::bigint, 'keyId', key_id, 'method', method,
    'route', route, 'path', path, 'status', status, 'code', code, 'durationMs', duration_ms, 'address', address,
    'userAgent', user_agent, 'body', body, 'answer', answer
  )) order by id desc)::text, 'UTF8')
from request_log
group by wallet_id, floor(extract(epoch from answered_at) / 10);
truncate request_log;
`
