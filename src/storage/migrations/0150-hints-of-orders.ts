// What the bank said of an order that it did not answer: the operator is to know.

export const sql = `
alter table bank_orders add column hint text;
create index bank_orders_hinted on bank_orders (created_at) where answer is null and hint is not null;
`
