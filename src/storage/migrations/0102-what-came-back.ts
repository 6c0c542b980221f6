// What was refunded and came back is counted apart, and a debit that was returned may have money to be withdrawn yet.

export const sql = `
-- Of what refunds took, and of what rails withdrew: what came back. Counted when it comes back, or, of what came back
-- under the version before, when a rail withdraws more (operations/refunds/came-back.ts).
alter table operations add column came_back bigint not null default 0;

alter table attempts
  drop constraint attempts_due_check,
  -- What is left of a RETURNED debit is withdrawn once the refunds of its payment are decided. No row of before breaks it.
  add constraint attempts_due_check check (
    state in ('APPROVED', 'RETURNED') or (state in ('OPEN', 'ASKED', 'GIVEN_UP', 'TO_REVERSE')) = (due_at is not null)
  ) not valid;
`
