// Columns under the names that the trade has for what they hold.

export const sql = `
alter table operations rename column takes to share_refunds;
alter table operations rename column take_source to refund_source;
alter table bank_references rename column told_at to published_at;
`
