// Since when a merchant is suspended by the operator.

export const sql = `
alter table wallets add column suspended_at timestamptz;
`
