// Deliveries that are claimed stand in no queue: most are written claimed, and sent at once by whoever wrote them.

export const sql = `
drop index deliveries_due;
drop index deliveries_due_by_lane;
create index deliveries_due on deliveries (due_at) where state = 'DUE' and claim_id is null;
create index deliveries_due_by_lane on deliveries (wallet_id, lane, due_at) where state = 'DUE' and claim_id is null;
create index deliveries_claimed on deliveries (claimed_until) where claim_id is not null;
alter table deliveries set (autovacuum_vacuum_scale_factor = 0.05);
`
