// Attempts to pay by card: who is authenticated how, and what the acquirer decided.

export const sql = `
create table card_attempts (
  id uuid not null,
  wallet_id bigint not null,
  -- The operation to be paid, or the token under which the card is to be stored.
  subject_id uuid not null,
  page_token uuid not null,
  owner text not null check (owner in ('checkout', 'card_api', 'card_store')),
  state text not null check (state in (
    'STARTED', 'CHALLENGED', 'AUTHENTICATED', 'AUTHORISING', 'APPROVED', 'DECLINED', 'FAILED', 'ABANDONED'
  )),
  amount bigint not null check (amount > 0 or intent = 'verify'),
  currency text not null,
  merchant_name text not null,
  intent text not null check (intent in ('sale', 'hold', 'verify')),
  -- Number, name and expiry under a key of the vault; emptied with the last use. The CVV is never here.
  sealed_card bytea,
  card jsonb not null,
  browser jsonb not null,
  three_ds_id uuid not null,
  method_url text,
  asked boolean not null default false,
  version text,
  acs_url text,
  acs_transaction_id text,
  authentication jsonb,
  failure text,
  acquirer_reference text,
  inquiries integer not null default 0,
  created_at timestamptz not null,
  modified_at timestamptz not null,
  due_at timestamptz,
  primary key (wallet_id, id),
  unique (wallet_id, subject_id, page_token),
  check ((state in ('APPROVED', 'DECLINED', 'FAILED', 'ABANDONED')) = (due_at is null)),
  check (due_at is not null or sealed_card is null)
);
create unique index card_attempts_by_three_ds_id on card_attempts (three_ds_id);
create index card_attempts_by_subject on card_attempts (subject_id);
create index card_attempts_due on card_attempts (due_at) where due_at is not null;
`
