// Direct debits lie in the one table of attempts.

export const sql = `
insert into attempts (
  wallet_id, id, operation_id, type, method, state, tries, ended_at, due_at,
  owner, page_token, amount, currency, merchant_name, details, failure, created_at, modified_at
)
select wallet_id, id, operation_id, 'PAYMENT', 'SEPA',
  case state
    when 'PAID' then 'APPROVED'
    when 'RETURNED' then case when paid_at is null then 'DECLINED' else 'RETURNED' end
    else 'ASKED'
  end,
  inquiries, case state when 'PAID' then paid_at when 'RETURNED' then modified_at end, due_at,
  'checkout', page_token, amount, currency, merchant_name,
  jsonb_build_object(
    'debtor', jsonb_build_object('name', debtor_name, 'iban', iban),
    'mandate', jsonb_strip_nulls(jsonb_build_object(
      'id', mandate_id, 'text', mandate_text, 'signedOn', signed_on, 'signedFrom', signed_from
    )),
    'collectOn', collect_on
  ),
  failure, created_at, modified_at
from direct_debits;

drop table direct_debits;
`
