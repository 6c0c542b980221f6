// References that a provider makes, under its own entity and numbers.

export const sql = `
alter table bank_references alter column number drop not null;
create unique index bank_references_by_name on bank_references (entity, ref) where number_held and number is null;
create unique index bank_references_of_providers on bank_references (id) where number is null;

-- What is asked of a provider and does not belong to a reference: being made, or to be withdrawn because nobody knows of it.
create table bank_reference_requests (
  -- Our idempotency key at the provider, and the id of the reference that it becomes.
  id uuid primary key,
  wallet_id bigint not null,
  -- A merchant's request with its fingerprint, or the operation of a checkout: tried again, it asks under the same key.
  request_id uuid,
  fingerprint bytea,
  expires timestamptz,
  created_at timestamptz not null,
  due_at timestamptz,
  withdrawn_at timestamptz,
  check ((request_id is null) = (fingerprint is null)),
  check (due_at is not null or withdrawn_at is not null)
);
create unique index bank_reference_requests_open on bank_reference_requests (wallet_id, request_id, fingerprint)
  where withdrawn_at is null;
create index bank_reference_requests_due on bank_reference_requests (due_at) where due_at is not null;
`
