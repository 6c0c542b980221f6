// Runs of the audit: what each found, and how far the one in progress is.

export const sql = `
create table audit_runs (
  id bigint generated always as identity primary key,
  started_at timestamptz not null,
  -- An e-mail, or the command.
  started_by text not null,
  -- The last sign of life of the process that runs it.
  seen_at timestamptz not null,
  ended_at timestamptz,
  checks_total integer not null,
  -- Rows examined, by check.
  checks jsonb not null default '{}',
  -- The first of them.
  problems jsonb not null default '[]',
  problems_total integer not null default 0,
  -- Why it was not finished.
  error text
);
-- One at a time, over all processes.
create unique index audit_runs_in_progress on audit_runs ((ended_at is null)) where ended_at is null;
`
