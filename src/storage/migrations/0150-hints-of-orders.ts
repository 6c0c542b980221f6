// What the bank said of an order that it did not answer: the operator is to know.

export const sql = `
alter table bank_orders add column hint text;
`
