// What connections do not need for ever: webhooks that were handled, and signatures for a step that is long over.

export const sql = `
create index rail_webhooks_handled on rail_webhooks (handled_at) where handled_at is not null;
create index rail_requests_signed on rail_requests (changed_at) where signature is not null;
`
