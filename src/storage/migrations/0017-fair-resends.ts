// Migration: resends of failed callbacks keep their rate, and deliveries of an endpoint are listed by state.

export const sql = `
-- The failed deliveries that were asked for again are due before.
create table callback_resends (
  wallet_id bigint primary key,
  until timestamptz not null
);
alter table callback_endpoints add column resent_until timestamptz;

-- Replaced by the index of all states, which also orders them.
drop index endpoint_deliveries_waiting;
drop index endpoint_deliveries_given_up;
`

/** A page or a count of one state reads no rows of other states. */
export const indexes = {
  endpoint_deliveries_by_state: 'endpoint_deliveries (wallet_id, endpoint_id, state, event_id)',
}
