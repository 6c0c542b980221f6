// Phones whose app counts wrong PINs: three in a row lock it, until its owner unlocks it.

export const sql = `
create table sandbox.phone_locks (
  phone text primary key,
  wrong_pins integer not null check (wrong_pins between 1 and 3)
);
`
