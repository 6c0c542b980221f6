// What people look for among events: those that failed, by an index of their own; and a kind of event that only tests an address.

export const sql = `
create index deliveries_failed on deliveries (wallet_id, event_id) where state in ('GIVEN_UP', 'NO_ENDPOINT');
-- Not checked again for what is there: it met the narrower check before.
alter table events drop constraint events_kind_check, add constraint events_kind_check
  check (kind in ('operation', 'card_stored', 'mandate', 'subscription', 'charge', 'ping')) not valid;
`
