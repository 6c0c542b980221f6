// A charge whose payment is open is looked after like every other operation that waits for its rail.

export const sql = `
insert into attempts (wallet_id, id, operation_id, type, method, state, tries, due_at)
select operations.wallet_id, operations.id, operations.id, operations.type, operations.method, 'ASKED',
  least(charges.attempts, 3), charges.due_at
from charges
join operations on operations.wallet_id = charges.wallet_id and operations.id = charges.operation_id
where charges.status = 'PROCESSING' and charges.opened and operations.settled_at is null
on conflict (wallet_id, id) do nothing;

alter table charges drop constraint charges_check;
update charges set due_at = null where opened;
alter table charges
  add constraint charges_due check ((due_at is not null) = (status in ('NEW', 'PROCESSING') and not opened)),
  drop column attempts;
`
