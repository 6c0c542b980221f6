// What was taken and given back of an authorization, its end after a month, and the acquirer's memory of it.

export const sql = `
alter table operations
  add column captured bigint not null default 0,
  add column captures integer not null default 0,
  add column released bigint not null default 0,
  add column lapse_due_at timestamptz,
  add column lapsed_at timestamptz,
  add check (captured >= 0 and released >= 0 and captured + released <= greatest(amount, 0)),
  add check (captures between 0 and 10),
  add check (
    (type = 'AUTH' and status = 'COMPLETED')
    or (captured = 0 and captures = 0 and released = 0 and lapse_due_at is null and lapsed_at is null)
  );
update operations set
  expires = (created_at at time zone 'Europe/Lisbon' + interval '1 month') at time zone 'Europe/Lisbon',
  lapse_due_at = (created_at at time zone 'Europe/Lisbon' + interval '1 month') at time zone 'Europe/Lisbon'
where type = 'AUTH' and status = 'COMPLETED';
create index operations_lapsing on operations (lapse_due_at) where lapse_due_at is not null;

-- What was taken of an authorisation or given back, and how the acquirer acts when asked for that.
alter table sandbox_authorisations
  add column captured bigint not null default 0,
  add column released bigint not null default 0,
  add column refunded bigint not null default 0,
  add column follow_up_silent boolean not null default false,
  add column follow_up_decline text,
  add check (captured >= 0 and released >= 0 and refunded >= 0 and captured + released <= amount);

-- Captures, releases and refunds, keyed by its clients' idempotency keys; \`original\` is the key they follow.
create table sandbox_follow_ups (
  key uuid primary key,
  original uuid not null,
  kind text not null check (kind in ('capture', 'release', 'refund')),
  amount bigint not null check (amount >= 0),
  decline text,
  reference text not null,
  decided_at timestamptz not null
);
create index sandbox_follow_ups_by_original on sandbox_follow_ups (original);
`
