// What a bank charges within an entry, and whether the merchant whose order it was bears that.

export const sql = `
alter table bank_entries
  -- Beside the amount, which is that of the order.
  add column charge bigint,
  -- For several orders at once, so that none of them can bear it.
  add column charge_is_shared boolean,
  add constraint bank_entries_charge check (charge > 0) not valid;

alter table wallets add column bank_charges_passed_on boolean not null default false;

alter table account_days drop constraint account_days_kind_check;
alter table account_days add constraint account_days_kind_check
  check (kind in ('payment', 'refund', 'payout', 'share', 'bank_charge', 'other')) not valid;
`
