// Payments by phone lie in the one table of attempts.

export const sql = `
insert into attempts (
  wallet_id, id, operation_id, type, method, state, tries, ended_at, due_at,
  owner, page_token, amount, currency, merchant_name, details, expires_at, withdrawn_at, failure, reference, created_at,
  modified_at
)
select wallet_id, id, operation_id, case intent when 'hold' then 'AUTH' else 'PAYMENT' end, 'MBWAY', state, inquiries,
  case when due_at is null then modified_at end, due_at,
  owner, page_token, amount, currency, merchant_name,
  jsonb_strip_nulls(jsonb_build_object('phone', phone, 'mandateId', mandate_id, 'opensMandateId', opens_mandate_id)),
  expires_at, withdrawn_at, decline, reference, created_at, modified_at
from mobile_payments
-- It was given up, or approved too late: what is to be done about that stays.
on conflict (wallet_id, id) do update set
  owner = excluded.owner, page_token = excluded.page_token, amount = excluded.amount, currency = excluded.currency,
  merchant_name = excluded.merchant_name, details = excluded.details, expires_at = excluded.expires_at,
  withdrawn_at = excluded.withdrawn_at, created_at = excluded.created_at, modified_at = excluded.modified_at,
  reference = excluded.reference,
  failure = coalesce(
    excluded.failure, case when excluded.withdrawn_at is null then 'expired' else 'withdrawn' end
  );

drop table mobile_payments;

create index attempts_open_by_phone on attempts (wallet_id, (details ->> 'phone'))
  where method = 'MBWAY' and state = 'ASKED';
`
