// Migration: rate of resends, deliveries of an endpoint by state, pending refunds of sellers.

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

export const indexes = {
  // A page or a count of one state reads no rows of other states.
  endpoint_deliveries_by_state: 'endpoint_deliveries (wallet_id, endpoint_id, state, event_id)',
  // Few rows: only refunds to an account that take parts back from sellers.
  operations_refunds_of_sellers:
    "operations using gin (share_refunds jsonb_path_ops) where type = 'REFUND' and method = 'MB' and share_refunds is not null",
}
