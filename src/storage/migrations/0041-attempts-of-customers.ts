// Attempts of customers lie in the one table of attempts: first those to pay from an online wallet.

export const sql = `
alter table attempts
  -- What a customer's attempt is made for; null where a request is decided under its operation's own id.
  add column owner text check (owner in ('checkout', 'direct', 'card_api', 'card_store', 'subscription')),
  -- Of the page that posted it: the same one twice is one attempt.
  add column page_token uuid,
  add column amount bigint,
  add column currency text,
  add column merchant_name text,
  -- What is the method's own.
  add column details jsonb,
  -- Until when the customer may decide.
  add column expires_at timestamptz,
  -- When the customer took it back; the rail is told so until it has said what became of it.
  add column withdrawn_at timestamptz,
  -- Number, name and expiry under a key of the vault; emptied with the last use. The CVV is never here.
  add column sealed_card bytea,
  add column three_ds_id uuid,
  -- Why no money came, in a word of the rail.
  add column failure text,
  -- What the rail calls the payment.
  add column reference text,
  add column created_at timestamptz,
  add column modified_at timestamptz,
  drop constraint attempts_state_check,
  add constraint attempts_state_check check (
    state in (
      'OPEN', 'ASKED', 'APPROVED', 'DECLINED', 'ABANDONED', 'RETURNED', 'GIVEN_UP', 'CLOSED', 'TO_REVERSE', 'REVERSED'
    )
  ),
  drop constraint attempts_check,
  -- The rail of an APPROVED attempt may be asked whether it stays so.
  add constraint attempts_due_check check (
    state = 'APPROVED' or (state in ('OPEN', 'ASKED', 'GIVEN_UP', 'TO_REVERSE')) = (due_at is not null)
  ),
  add constraint attempts_owned_check check (
    case when owner is null
      then state not in ('OPEN', 'ABANDONED', 'RETURNED')
        and num_nonnulls(
          page_token, amount, currency, merchant_name, details, expires_at, withdrawn_at, sealed_card, three_ds_id,
          failure, reference, created_at, modified_at
        ) = 0
      else num_nulls(page_token, amount, currency, merchant_name, details, created_at, modified_at) = 0
        and (state not in ('DECLINED', 'RETURNED', 'GIVEN_UP', 'CLOSED', 'TO_REVERSE', 'REVERSED') or failure is not null)
    end
  ),
  add constraint attempts_card_check check (state in ('OPEN', 'ASKED') or sealed_card is null),
  -- There are many now, and most are finished.
  set (autovacuum_vacuum_scale_factor = 0.01);

-- Rails name an attempt without its merchant.
create unique index attempts_by_key on attempts (id) where owner is not null;
create unique index attempts_by_page on attempts (wallet_id, operation_id, method, page_token) where owner is not null;

insert into attempts (
  wallet_id, id, operation_id, type, method, state, tries, ended_at, due_at,
  owner, page_token, amount, currency, merchant_name, details, failure, reference, created_at, modified_at
)
select old.wallet_id, old.id, old.operation_id, 'PAYMENT', 'PAYPAL',
  case old.state when 'TAKING' then 'ASKED' when 'PAID' then 'APPROVED' else old.state end,
  old.inquiries, case when old.due_at is null then old.modified_at end, old.due_at,
  'checkout', old.page_token, old.amount, old.currency, wallets.name,
  jsonb_strip_nulls(jsonb_build_object('approveUrl', old.approve_url)),
  old.failure, old.reference, old.created_at, old.modified_at
from online_wallet_attempts as old
join wallets on wallets.id = old.wallet_id;

drop table online_wallet_attempts;
`
