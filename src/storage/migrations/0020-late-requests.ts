// Requests to rails whose operation ended without them, and how the pretend rails cancel and reverse.

export const sql = `
create table late_requests (
  wallet_id bigint not null,
  -- The rail's idempotency key.
  id uuid not null,
  operation_id uuid not null,
  type text not null,
  method text not null,
  state text not null check (state in ('WATCHED', 'APPROVED', 'REVERSED', 'CLOSED')),
  -- How often the rail was asked whether it has arrived after all, and how often it was taken up in its state.
  asked integer not null default 0,
  tries integer not null default 0,
  noticed_at timestamptz not null,
  ended_at timestamptz,
  due_at timestamptz,
  primary key (wallet_id, id),
  check ((state in ('WATCHED', 'APPROVED')) = (due_at is not null))
);
create index late_requests_due on late_requests (due_at) where due_at is not null;
create index late_requests_approved on late_requests (wallet_id) where state = 'APPROVED';

-- A key that was cancelled before anything arrived under it: nothing else is known of it.
alter table sandbox_authorisations
  alter column merchant_id drop not null,
  alter column amount drop not null,
  alter column currency drop not null,
  alter column intent drop not null,
  alter column last4 drop not null,
  add column reversed_by uuid,
  add constraint sandbox_authorisations_known check (
    decline is not distinct from 'cancelled' or num_nulls(merchant_id, amount, currency, intent, last4) = 0
  );
create unique index sandbox_authorisations_reversed on sandbox_authorisations (reversed_by) where reversed_by is not null;

alter table sandbox_follow_ups
  alter column original drop not null,
  alter column kind drop not null,
  alter column amount drop not null,
  add column reversed_by uuid,
  add constraint sandbox_follow_ups_known check (
    decline is not distinct from 'cancelled' or num_nulls(original, kind, amount) = 0
  );
create unique index sandbox_follow_ups_reversed on sandbox_follow_ups (reversed_by) where reversed_by is not null;

alter table sandbox_phone_requests
  add column reversed_by uuid,
  drop constraint sandbox_phone_requests_check1,
  add constraint sandbox_phone_requests_amount check (
    (kind = 'mandate' and amount is null) or (kind <> 'mandate' and (amount is not null or state = 'withdrawn'))
  );
create unique index sandbox_phone_requests_reversed on sandbox_phone_requests (reversed_by) where reversed_by is not null;

alter table sandbox_phone_movements
  alter column payment drop not null,
  alter column kind drop not null,
  alter column amount drop not null,
  add column reversed_by uuid,
  add constraint sandbox_phone_movements_known check (
    decline is not distinct from 'withdrawn' or num_nulls(payment, kind, amount) = 0
  );
create unique index sandbox_phone_movements_reversed on sandbox_phone_movements (reversed_by) where reversed_by is not null;
`
