// Tries to log in under an e-mail that nobody has are counted like those of a consumer, so that both are answered alike.

export const sql = `
create table unknown_log_ins (
  -- Of the e-mail, under a key: whose addresses were tried is nobody's business.
  email_digest bytea primary key check (length(email_digest) = 32),
  failures smallint not null check (failures between 1 and 3),
  locked_until timestamptz,
  modified_at timestamptz not null,
  check ((failures = 3) = (locked_until is not null))
);
create index unknown_log_ins_by_age on unknown_log_ins (modified_at);
`
