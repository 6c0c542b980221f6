// Tries to sign in that were refused are told from those that were judged, codes are used once, and the last sign-in is known.

export const sql = `
alter table backoffice.users add column signed_in_at timestamptz;

-- Whether the last try came while there was none to have.
alter table backoffice.sign_in_failures add column refused boolean not null default false;

-- Codes of authenticator apps that were typed in the last minutes: each works once.
create table backoffice.used_codes (
  user_id text not null references backoffice.users on delete cascade,
  code text not null,
  used_at timestamptz not null,
  primary key (user_id, code)
);
`
