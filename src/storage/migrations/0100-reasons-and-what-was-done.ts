// Why a merchant is suspended, for its team; and what each deed in the log of who did what was about.

export const sql = `
alter table wallets add column suspended_reason text;

-- In cents, where the deed named an amount; whom or what it named beside its address; the key that made it happen once.
alter table backoffice.actions add column amount bigint, add column about text, add column request_id uuid;
-- Who asked for a payment, by the key under which it was asked for.
create index actions_request on backoffice.actions (wallet_id, request_id) where request_id is not null;
`
