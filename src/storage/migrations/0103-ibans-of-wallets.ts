// Every IBAN that a wallet has had: the audit compares what payouts' orders say with them.

export const sql = `
create table wallet_ibans (
  wallet_id bigint not null references wallets (id),
  iban text not null,
  -- When it was first set, by the machine's clock; of those of before, when this table was made.
  since timestamptz not null,
  primary key (wallet_id, iban)
);

-- By a trigger, for processes of the version before change wallets as well while an upgrade is under way.
create function note_iban_of_wallet() returns trigger language plpgsql as $$
begin
  insert into wallet_ibans (wallet_id, iban, since) values (new.id, new.iban, now())
  on conflict do nothing;
  return null;
end
$$;
create trigger ibans_of_wallets_are_noted after insert or update of iban on wallets
  for each row when (new.iban is not null) execute function note_iban_of_wallet();

insert into wallet_ibans (wallet_id, iban, since)
select id, iban, now() from wallets where iban is not null;
-- What was ordered before is taken at its word: nobody knows any more which IBAN the wallet had then.
insert into wallet_ibans (wallet_id, iban, since)
select bank_orders.wallet_id, bank_orders.party_iban, now()
from bank_orders
join operations on operations.wallet_id = bank_orders.wallet_id and operations.id = bank_orders.id
  and operations.type = 'WALLETFUNDS'
on conflict do nothing;
`
