// Migration: refunds to a bank account that the merchant or the payer names.

export const sql = `
alter table wallets add column mb_refunds boolean not null default false;

-- A row for each refund of a payment by bank reference. The account itself is in its bank order.
create table account_refunds (
  id uuid primary key,
  wallet_id bigint not null,
  -- The end of the page on which the payer names the account. Null: the merchant named it.
  expires_at timestamptz,
  named_at timestamptz,
  -- The first day on which the bank may be asked, because the money of the payment has arrived.
  send_on date,
  -- The page ended unused.
  ended_at timestamptz,
  check (expires_at is not null or named_at is not null),
  check ((named_at is null) = (send_on is null)),
  check (named_at is null or ended_at is null)
);
`

/** Payouts count refunds to an account. Without status: otherwise every settlement would write the index again. */
export const indexes = {
  operations_refunds_to_account: "operations (wallet_id, id) where type = 'REFUND' and method = 'MB'",
}
