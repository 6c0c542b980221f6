// The phone that a merchant named on a checkout: only of that one a mandate stands for the PIN.

export const sql = `
alter table checkouts
  -- E.164. Of checkouts made before this step nobody knows who named the phone: there the phone is always asked.
  add column mandate_phone text;

-- Attempts that were begun under a mandate because of a number that was typed. Should the network not have received
-- one of them yet, it asks the phone.
with attempt as (
  update mobile_payments set mandate_id = null
  where state = 'ASKED' and owner = 'checkout' and mandate_id is not null
  returning wallet_id, id
),
given_back as (
  delete from mandate_reservations using attempt
  where mandate_reservations.wallet_id = attempt.wallet_id and mandate_reservations.id = attempt.id
  returning mandate_reservations.wallet_id, mandate_reservations.mandate_id, mandate_reservations.month,
    mandate_reservations.amount
),
total as (
  select wallet_id, mandate_id, month, sum(amount) as amount from given_back group by wallet_id, mandate_id, month
)
update mandate_allowances set used = mandate_allowances.used - total.amount
from total
where mandate_allowances.wallet_id = total.wallet_id and mandate_allowances.mandate_id = total.mandate_id
  and mandate_allowances.month = total.month;
`
