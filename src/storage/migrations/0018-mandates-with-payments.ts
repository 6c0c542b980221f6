// Mandates that are asked for together with a payment, what a merchant wants of a mandate, and requests taken back.

export const sql = `
alter table mandates
  -- Asked for in one question with a payment that is not settled yet: until then it is not followed by itself.
  add column awaits_payment boolean not null default false,
  -- What the merchant wants to be allowed: cents per month, and the Lisbon day of the first charge.
  add column wanted_limit bigint check (wanted_limit > 0),
  add column wanted_from text check (wanted_from ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
  add check ((wanted_limit is null) = (wanted_from is null));

alter table mobile_payments
  -- The mandate that the same approval makes.
  add column opens_mandate_id uuid,
  add check (opens_mandate_id is null or mandate_id is null);

alter table subscriptions
  drop constraint subscriptions_check,
  -- A merchant may void what a mandate opened before its customer set the limit.
  add constraint subscriptions_amount_known check (
    amount > 0 or (amount = 0 and checkout_id is null and status in ('NEW', 'FAILED', 'VOIDED'))
  ),
  drop constraint subscriptions_check2,
  -- A customer may let a mandate end before the first charge.
  add constraint subscriptions_end_after_start check (
    end_date is null or end_date >= start_date or mandate_id is not null
  );

alter table sandbox_phone_requests
  -- The mandate that is approved or refused with the payment.
  add column opens uuid,
  add column wanted_limit bigint,
  add column wanted_from text,
  drop constraint sandbox_phone_requests_state_check,
  add constraint sandbox_phone_requests_state_check
    check (state in ('pending', 'approved', 'refused', 'expired', 'withdrawn'));
create index sandbox_phone_requests_by_opens on sandbox_phone_requests (opens) where opens is not null;
`
