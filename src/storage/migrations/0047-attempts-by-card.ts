// Attempts to pay by card lie in the one table of attempts.

export const sql = `
-- The issuer names an attempt by it, and so does the browser that returns from there.
create unique index attempts_by_three_ds_id on attempts (three_ds_id) where three_ds_id is not null;
-- A customer of the card API knows the id of what they pay, or store a card for.
create index attempts_of_card_api on attempts (operation_id) where owner in ('card_api', 'card_store');

insert into attempts (
  wallet_id, id, operation_id, type, method, state, tries, ended_at, due_at,
  owner, page_token, amount, currency, merchant_name, details, sealed_card, three_ds_id, failure, reference,
  created_at, modified_at
)
select old.wallet_id, old.id, old.subject_id, case old.intent when 'hold' then 'AUTH' else 'PAYMENT' end, 'CC',
  case
    when old.state in ('STARTED', 'CHALLENGED', 'AUTHENTICATED') then 'OPEN'
    when old.state = 'AUTHORISING' then 'ASKED'
    when old.state = 'FAILED' then 'DECLINED'
    else old.state
  end,
  old.inquiries, case when old.due_at is null then old.modified_at end, old.due_at,
  old.owner, old.page_token, old.amount, old.currency, old.merchant_name,
  jsonb_strip_nulls(jsonb_build_object(
    'step', case
      when old.authentication is not null then 'AUTHENTICATED'
      when old.acs_url is not null then 'CHALLENGED'
      when old.asked then 'ISSUER_ASKED'
      else 'STARTED'
    end,
    'intent', old.intent, 'keepsCard', old.keeps_card, 'card', old.card, 'browser', old.browser,
    'methodUrl', old.method_url, 'version', old.version, 'acsUrl', old.acs_url,
    'acsTransactionId', old.acs_transaction_id, 'authentication', old.authentication
  )),
  old.sealed_card, old.three_ds_id,
  case when old.state in ('DECLINED', 'FAILED') then coalesce(old.failure, 'declined') else old.failure end,
  old.acquirer_reference, old.created_at, old.modified_at
from card_attempts as old
-- It was given up, or approved too late: that is known of it already.
on conflict (wallet_id, id) do update set
  state = case when excluded.state = 'APPROVED' then excluded.state else attempts.state end,
  due_at = case when excluded.state = 'APPROVED' then null else attempts.due_at end,
  ended_at = case when excluded.state = 'APPROVED' then excluded.ended_at else attempts.ended_at end,
  owner = excluded.owner, page_token = excluded.page_token, amount = excluded.amount, currency = excluded.currency,
  merchant_name = excluded.merchant_name, details = excluded.details, three_ds_id = excluded.three_ds_id,
  failure = case when excluded.state <> 'APPROVED' then coalesce(excluded.failure, 'acquirer_unavailable') end,
  reference = excluded.reference, created_at = excluded.created_at, modified_at = excluded.modified_at;

drop table card_attempts;
`
