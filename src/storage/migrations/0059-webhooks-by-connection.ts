// Webhooks that are due are taken in turn among connections.

export const sql = `
drop index rail_webhooks_due;
create index rail_webhooks_due on rail_webhooks (connection_id, due_at) where due_at is not null;
`
