// When a session was last used, and what the owners of a team ask of its people.

export const sql = `
alter table backoffice.sessions add column seen_at timestamptz;

create table backoffice.team_rules (
  wallet_id bigint primary key references wallets (id) on delete cascade,
  two_factor boolean not null
);
`
