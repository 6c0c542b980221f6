// Fewer and cheaper writes: attempts in the delivery's row, answers next to their requests.

export const sql = `
alter table deliveries
  add column first_attempted_at timestamptz,
  add column first_http_status integer,
  add column first_duration_ms integer;

-- All attempts. Most deliveries are received at the first one, which then has no row of its own.
create view delivery_tries as
select wallet_id, event_id, id, attempted_at, http_status, error, duration_ms from delivery_attempts
union all
select wallet_id, event_id, 0, first_attempted_at, first_http_status, null, first_duration_ms
from deliveries where first_attempted_at is not null;

-- The answer follows the request at once: the page has room for it, so that no index is written again.
alter table requests set (fillfactor = 30);
`
