// Who signed in stands in the log of who did what, and from where; a link may take two-factor away.

export const sql = `
-- The network address it was asked from; null for what was done by command, and for what is older.
alter table backoffice.actions add column address text;
-- What people did about their own account, for the teams that they are in.
create index actions_own on backoffice.actions (user_id, id) where wallet_id is null;

-- Whether whoever uses it loses the authenticator app too: for a phone that is lost.
alter table backoffice.one_time_links add column takes_two_factor boolean not null default false;

-- Nobody has shown that an address is theirs: links are handed over (docs/decisions/0147).
update backoffice.users set email_verified = false;
`
