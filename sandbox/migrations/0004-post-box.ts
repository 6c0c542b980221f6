// Migration: the post box.

export const sql = `
-- Mail of the gateway. Nothing leaves the sandbox.
create table sandbox.mails (
  message_id text primary key,
  recipient text not null,
  subject text not null,
  -- Text, HTML and headers: mail of a team contains a link that signs in.
  sealed bytea not null,
  times integer not null default 1,
  taken_at timestamptz not null
);
create index mails_by_time on sandbox.mails (taken_at);
-- Recipients that were asked to try later, once for each mail.
create table sandbox.mails_deferred (
  message_id text primary key
);
`
