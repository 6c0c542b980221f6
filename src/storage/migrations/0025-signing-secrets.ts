// Callbacks are signed with a secret of its own, which is never sent; the other one is their Basic password.

export const sql = `
alter table wallets
  -- Empty for merchants of the version before, who sign with callback_secret_sealed until either is rotated.
  add column callback_signing_sealed bytea,
  add column callback_signing_previous_sealed bytea,
  add column callback_signing_previous_until timestamptz,
  add check ((callback_signing_previous_sealed is null) = (callback_signing_previous_until is null)),
  add check (callback_signing_previous_sealed is null or callback_signing_sealed is not null),
  add check (callback_signing_sealed is null or kind = 'merchant');
`
