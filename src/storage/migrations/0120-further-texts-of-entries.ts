// Texts of entries in other places than the payer's: lines are known by the payer's.

export const sql = `
alter table bank_entries add column further_text text;
`
